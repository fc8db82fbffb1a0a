import { anchoredPattern } from "../text/anchored-pattern.ts";
import { escapedPattern } from "../text/escape-pattern.ts";

/** Tokens that are known by their shape: what they are called in records, how they begin, and what follows. */
type Shape = {
  label: string;
  /** One of these words begins it, or, with `between`, stands before it. */
  words: readonly string[];
  /** Parts of which each of the words has one, where there are fewer: each is a search through all that an agent prints. */
  found?: readonly string[];
  /** Source of what lies between the word and the token. */
  between?: string;
  rest: string;
};

/** From the documentation of their makers. `rest` never goes back over what it has read. */
export const SHAPES: readonly Shape[] = [
  { label: "github token", words: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], rest: "[A-Za-z0-9]{30,255}" },
  { label: "github token", words: ["github_pat_"], rest: "[A-Za-z0-9_]{22,255}" },
  { label: "gitlab token", words: ["glpat-"], rest: "[\\w-]{20,255}" },
  { label: "anthropic key", words: ["sk-ant-"], rest: "[\\w-]{20,255}" },
  { label: "provider key", words: ["sk-"], rest: "(?=[A-Za-z_-]{0,100}\\d)(?=[a-z0-9_-]{0,100}[A-Z])[\\w-]{32,255}" },
  { label: "provider key", words: ["sk-or-v1-"], rest: "[0-9a-f]{32,255}" },
  { label: "provider key", words: ["gsk_", "xai-", "hf_"], rest: "[A-Za-z0-9]{30,255}" },
  { label: "google key", words: ["AIza"], rest: "[\\w-]{35}" },
  { label: "google token", words: ["ya29.", "GOCSPX-"], rest: "[\\w-]{20,2048}" },
  { label: "aws key", words: ["AKIA", "ASIA"], rest: "[A-Z0-9]{16}(?![A-Za-z0-9])" },
  {
    label: "aws secret",
    words: ["aws_secret_access_key"],
    between: "\\W{1,5}",
    rest: "[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])",
  },
  {
    label: "slack token",
    words: ["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    found: ["xox"],
    rest: "[\\w-]{10,255}",
  },
  { label: "slack token", words: ["xapp-"], rest: "[\\w-]{20,255}" },
  {
    label: "slack hook",
    words: ["hooks.slack.com/services/"],
    between: "",
    rest: "[A-Z0-9]{6,20}/[A-Z0-9]{6,20}/\\w{10,64}",
  },
  { label: "npm token", words: ["npm_"], rest: "[A-Za-z0-9]{36}" },
  { label: "pypi token", words: ["pypi-AgE"], rest: "[\\w-]{40,512}" },
  {
    label: "stripe key",
    words: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    found: ["k_live_", "k_test_"],
    rest: "[A-Za-z0-9]{16,255}",
  },
  { label: "sendgrid key", words: ["SG."], rest: "[\\w-]{16,64}\\.[\\w-]{16,64}" },
  { label: "jwt", words: ["eyJ"], rest: "[\\w-]{10,4096}\\.eyJ[\\w-]{10,8192}(?:\\.[\\w-]{0,1024})?" },
];

const wordsOf = ({ words }: Shape) => `(?:${words.map(escapedPattern).join("|")})`;
const beginningOf = (shape: Shape) =>
  shape.between === undefined ? wordsOf(shape) : `(?<=${wordsOf(shape)}${shape.between})`;

/** A key in PEM form, on lines or as JSON writes them; without its end, as far as it goes. */
const BREAK = "(?:\\\\+[nrt]|\\s)";
const PEM = `-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:${BREAK}+(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\\n\\\\"]*))+(?:${BREAK}+[A-Za-z0-9+/=]{1,15}(?=${BREAK}|$))?)?(?:${BREAK}*-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?`;
const PEM_BEGINS = "-----BEGIN [A-Z ]{0,30}PRIVATE KEY";

/** The password of an address, `scheme://user:password@host`; what stands for one (`$PASSWORD`, `<password>`) is none. */
const ADDRESS = /(:\/\/[^\s:@/"'\\]{0,64}:)(?![$<{[*%])[^\s@/"'\\]{1,256}(?=@)/g;
const HEADER = /(authorization["']?\s{0,2}[:=]\s{0,2}["']?(?:bearer|basic|token)\s{1,2})[\w.~+/=-]{16,4096}/gi;

/** Where the text was cut, nothing says how long the token was. */
const CUT = "[\\w./+-]{8,255}(?=[)\"']?$|…)";

/** Not within a word: the letter of an escape, as in JSON's `\n`, is no part of one, nor is the last one of a colour. */
const START = "(?<!(?<!\\\\|(?:\\x1b|\\\\u001[bB])\\[[0-9;]{0,16})[A-Za-z0-9])";
const labels = [...new Set(SHAPES.map(({ label }) => label))];
const alternatives = labels.map((label, index) => {
  const shapes = SHAPES.filter((shape) => shape.label === label);
  return `(?<t${index}>${shapes.map((shape) => `${START}${beginningOf(shape)}${shape.rest}`).join("|")})`;
});
const TOKENS = new RegExp(alternatives.join("|"), "g");
const plain = SHAPES.filter(({ words, between }) => between === undefined && !words.includes("sk-"));
const CUT_TOKENS = new RegExp(`${START}(?:${plain.map(wordsOf).join("|")})${CUT}`, "g");
const PEMS = new RegExp(PEM, "g");

const suspectsOf = ({ words, between = "" }: Shape) =>
  words.map((word) => anchoredPattern(word, word === "sk-" ? START : "") + between);

/** What a text has in which there is any token, as the source of a regular expression. Words such as `task-` begin none. */
export const TOKEN_BEGINNINGS = `${SHAPES.flatMap(suspectsOf).join("|")}|${PEM_BEGINS}|(?<=[Aa]uthori)zation|://[^\\s:@/]{0,64}:[^\\s@/]{1,256}@`;

/** Words of which each token that stands on one line has one. */
export const TOKEN_WORDS: readonly string[] = [...new Set(SHAPES.flatMap(({ words, found }) => found ?? words)), "://"];
/** Words of which each token has one that may go on behind the end of a line. */
export const LONG_TOKEN_WORDS: readonly string[] = ["aws_secret_access_key", "PRIVATE KEY", "uthorization"];

/** Masks all tokens of known shapes in a text. */
export function maskTokens(text: string): string {
  return text
    .replace(PEMS, "[masked: private key]")
    .replace(TOKENS, (token, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      const index = labels.findIndex((_, at) => groups[`t${at}`] !== undefined);
      return `[masked: ${labels[index] ?? token}]`;
    })
    .replace(CUT_TOKENS, "[masked: token]")
    .replace(HEADER, "$1[masked: credentials]")
    .replace(ADDRESS, "$1[masked: password]");
}
