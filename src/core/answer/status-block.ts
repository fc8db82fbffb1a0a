import { looksLikeJsonEvent } from "../text/json-event-text.ts";
import { parseFence } from "../text/markdown-blocks.ts";
import { splitLines } from "../text/text-lines.ts";
import { commentedLines } from "./comment-lines.ts";
import { introducesExample, isCodeBelow } from "./example-block.ts";

export type Status = "IN_PROGRESS" | "COMPLETE" | "BLOCKED";
export type TestsStatus = "PASSING" | "FAILING" | "NOT_RUN";

/** The RALPH_STATUS block of an answer; null stands for a field that is missing or has no listed value. */
export type StatusBlock = {
  status: Status | null;
  exit_signal: boolean | null;
  tasks_completed: number | null;
  files_modified: number | null;
  tests_status: TestsStatus | null;
  work_type: string | null;
  recommendation: string | null;
  /** Numbers, from 1, of its first and last line in the answer. */
  first_line: number;
  last_line: number;
};

/** The block that counts, and the answer's lines with every block blanked. Line numbers stay valid. */
export type StatusReading = { block: StatusBlock | null; prose: string[] };

type OpenBlock = {
  form: "delimited" | "yaml";
  first: number;
  last: number;
  fields: Map<string, string>;
  /** It was introduced as a preview, or is hidden in a comment. */
  isExample: boolean;
  /** It is indented as code: it counts only as the last words of the answer. */
  isCode: boolean;
};
type Marker = "begin" | "end" | "yaml" | null;

const STATUSES: readonly Status[] = ["IN_PROGRESS", "COMPLETE", "BLOCKED"];
const TESTS: readonly TestsStatus[] = ["PASSING", "FAILING", "NOT_RUN"];
export const WORK_TYPES = ["IMPLEMENTATION", "TESTING", "DOCUMENTATION", "REFACTORING"] as const;

const NAME = /(END_)?RALPH_STATUS/i;
const MARKUP = " \t*_`#\"'";
/** Markdown and list marks, the key (perhaps bold or quoted), a colon, the value. */
const FIELD = /^[\s*_`"'+#•-]*([A-Za-z][A-Za-z_]{2,40})[\s*_`"']*:(.*)$/;
/** Dashes not opened by a quote or bracket, which would make the marker part of a code line. */
const FREE_DASHES = /(?:^|[^-`"'(=])---+$/;
/** The speakers of a transcript. */
const ASKER = /^\W{0,4}(?:user|human)\b\W{0,4}:/i;
const ANSWERER = /^\W{0,4}(?:assistant|agent|ai)\b\W{0,4}:/i;

/**
 * Finds and reads the status block (product.md "Done" and "Status block"). The last complete block wins; an
 * unterminated last one counts if it has STATUS or EXIT_SIGNAL; one quoted with `> ` never counts. One pass over the
 * lines.
 */
export function readStatus(text: string): StatusReading {
  // Nearly all that an agent says is without one.
  if (!NAME.test(text)) return { block: null, prose: splitLines(text) };
  const lines = splitLines(text, { literal: !looksLikeJsonEvent(text) });
  const prose = [...lines];
  const hidden = commentedLines(lines);
  const choice = createChoice();
  let open: OpenBlock | null = null;
  let fence: { isExample: boolean } | null = null;
  let intro = "";

  const close = (block: OpenBlock): void => {
    prose.fill("", block.first, block.last + 1);
    choice.take(block);
  };
  for (const [index, line] of lines.entries()) {
    if (open === null) choice.goOn(line);
    if (isQuoted(line)) continue;
    const above = intro;
    if (isFence(line)) fence = fence === null ? { isExample: introducesExample(intro, { asCode: true }) } : null;
    else if (line.trim() !== "") intro = line;
    choice.hear(line);
    const marker = markerOf(line);
    if (marker === "begin" || (marker === "yaml" && open?.form !== "delimited")) {
      if (open?.form === "yaml" && hasVerdictField(open)) close(open);
      const isCode = fence === null && isCodeBelow(above, line);
      open = {
        form: marker === "begin" ? "delimited" : "yaml",
        first: index,
        last: index,
        fields: new Map(),
        isExample:
          fence?.isExample === true ||
          hidden.has(index) ||
          introducesExample(beforeMarker(line) || above, { asCode: isCode }),
        isCode,
      };
      prose[index] = "";
      continue;
    }
    if (open === null) continue;
    if (marker === "end") {
      takeField(open, beforeMarker(line));
      open.last = index;
      close(open);
      open = null;
    } else if (takeField(open, line)) {
      open.last = index;
      prose[index] = "";
    } else if (open.form === "yaml" && endsYaml(open, line)) {
      if (hasVerdictField(open)) close(open);
      open = null;
      choice.goOn(line);
    }
  }
  if (open !== null && hasVerdictField(open)) close(open);
  const found = choice.found();
  return { block: found === null ? null : blockOf(found), prose };
}

/** Which block counts, as the lines of an answer go by. */
function createChoice() {
  let found: OpenBlock | null = null;
  /** The block that counts if text follows `found`, which is indented as code and must come last. */
  let fallback: { block: OpenBlock | null } | null = null;
  /** In a transcript: the block that counted before the user spoke. */
  let question: { before: OpenBlock | null } | null = null;
  return {
    found: () => found,
    /** A complete block. */
    take(block: OpenBlock): void {
      if (block.isExample || isTemplate(block)) return;
      fallback = block.isCode ? { block: found } : null;
      found = block;
    },
    /** A line outside of blocks. */
    goOn(line: string): void {
      if (fallback === null || line.trim() === "" || isFence(line)) return;
      found = fallback.block;
      fallback = null;
    },
    /** A line that may tell who speaks: the user's part of a transcript is no answer. */
    hear(line: string): void {
      if (ASKER.test(line)) question ??= { before: found };
      else if (question !== null && ANSWERER.test(line)) {
        found = question.before;
        question = null;
      }
    },
  };
}

function isFence(line: string): boolean {
  return parseFence(line) !== null;
}

/** Quoted with `> `, or an added line of a diff. */
function isQuoted(line: string): boolean {
  return /^\s*(?:>|\+\S)/.test(line);
}

/**
 * `---RALPH_STATUS---` ends its line, the end marker may follow a field, `RALPH_STATUS:` or a heading has a line of its
 * own.
 */
function markerOf(line: string): Marker {
  const name = NAME.exec(line);
  if (name === null) return null;
  const before = stripMarkup(line.slice(0, name.index));
  const after = stripMarkup(line.slice(name.index + name[0].length));
  if (name[1] !== undefined) return before.endsWith("--") && after.startsWith("--") ? "end" : null;
  if (FREE_DASHES.test(before) && after.length >= 3 && isDashes(after)) return "begin";
  const alone = isDashes(before) && before.length < 3;
  const heading = after === "" && /^[\s*#]*[*#]/.test(line);
  return alone && (after === ":" || heading) ? "yaml" : null;
}

function beforeMarker(line: string): string {
  return trimCharacters(line.slice(0, NAME.exec(line)?.index ?? 0), `${MARKUP}-`);
}

function stripMarkup(text: string): string {
  return trimCharacters(text, MARKUP);
}

/** A loop, since a regular expression that searches for the end of a text is quadratic. */
function trimCharacters(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isDashes(text: string): boolean {
  return /^-*$/.test(text);
}

/**
 * Stores `KEY: value`. The first line with a key wins: text after an unterminated block changes nothing. A block with a
 * second, false EXIT_SIGNAL contradicts itself and counts as false.
 */
function takeField(open: OpenBlock, line: string): boolean {
  const match = FIELD.exec(line);
  const key = match?.[1]?.toUpperCase();
  if (match === null || key === undefined) return false;
  const value = match[2] ?? "";
  const takesBack = key === "EXIT_SIGNAL" && /^[\s*_`"']*(?:false|not?)\b/i.test(value);
  if (!open.fields.has(key) || takesBack) open.fields.set(key, value);
  return true;
}

/** The YAML form has no end marker: its fields follow each other, perhaps after a blank line or a fence. */
function endsYaml(open: OpenBlock, line: string): boolean {
  return open.fields.size > 0 || !(line.trim() === "" || isFence(line));
}

function hasVerdictField(open: OpenBlock): boolean {
  return open.fields.has("STATUS") || open.fields.has("EXIT_SIGNAL");
}

/** Whether the block echoes the prompt's own example: it lists the choices instead of making one. */
function isTemplate(open: OpenBlock): boolean {
  return [open.fields.get("STATUS"), open.fields.get("EXIT_SIGNAL")].some(
    (value) => value !== undefined && firstWord(value) === null && /[|,]|\bor\b/i.test(value),
  );
}

function blockOf({ fields, first, last }: OpenBlock): StatusBlock {
  const word = (key: string): string | null => firstWord(fields.get(key) ?? "");
  return {
    status: oneOf(STATUSES, word("STATUS")),
    exit_signal: flag(fields.get("EXIT_SIGNAL") ?? ""),
    tasks_completed: wholeNumber(fields.get("TASKS_COMPLETED_THIS_LOOP") ?? fields.get("TASKS_COMPLETED")),
    files_modified: wholeNumber(fields.get("FILES_MODIFIED")),
    tests_status: testsStatus(fields.get("TESTS_STATUS") ?? ""),
    work_type: oneOf(WORK_TYPES, word("WORK_TYPE")),
    recommendation: sentence(fields.get("RECOMMENDATION")),
    first_line: first + 1,
    last_line: last + 1,
  };
}

const RED: ReadonlySet<string> = new Set(["FAIL", "FAILED", "FAILING", "FAILURE", "FAILURES"]);

/**
 * `10 failed before, now PASSING`: what was is not what is. Only these words, since a wrong guess calls red tests green:
 * `2 failing as before, 40 passing` says that two are red.
 */
const WAS_RED = new RegExp(
  [
    "^.{0,20}?\\bfail(?:ed|ing|ures?)?(?: tests?)?",
    "(?:[\\s,(]{1,3}(?:before|earlier|previously|at first)\\b|\\s?(?:->|→))",
    "(?:[\\s,;:.)→>-]{0,4}\\b(?:but|then|now|they|it|is|are|fixed|tests|all(?: \\d{1,6})?)\\b){0,5}",
    "[\\s,;:.)→>-]{0,4}\\bpass(?:ed|es|ing)?\\b",
    "(?!.*\\b(?:fail|but|except|not|red|still))",
  ].join(""),
  "i",
);

/** `FAILED`, `3 failing`: who says so in another form has said it, unless it counts none: `Failed: 0`. */
function testsStatus(value: string): TestsStatus | null {
  if (WAS_RED.test(value)) return /\bpassing\b/i.test(value) ? "PASSING" : null;
  const word = firstWord(value.replace(/^\W{0,4}[1-9]\d{0,5} (?:tests? )?(?=fail(?:ed|ing)\b)/i, ""));
  const countsNone = /^\W{0,4}fail\w{0,4}\W{1,4}(?:0|none)\b/i.test(value);
  return word !== null && RED.has(word) && !countsNone ? "FAILING" : oneOf(TESTS, word);
}

/** YAML's words for false, and people's. */
const NO: ReadonlySet<string> = new Set(["FALSE", "NO", "N", "OFF", "NOT", "NEVER"]);

/** A flag's value: `true`, or any word for false; null for other words, and for a choice of several. */
export function flag(value: string): boolean | null {
  const word = /^\W{0,4}not\b/i.test(value) ? "NOT" : (firstWord(value) ?? "");
  return word === "TRUE" ? true : NO.has(word) ? false : null;
}

/** Signs of a choice or a condition after a word. */
const OFFERS_MORE =
  /^(?:\s*\||\/[A-Za-z]|[\s,]{1,5}(?:or\s)?\s?(?:true|false|complete|in_progress|blocked|passing|failing|not_run)\b|\s*\(?(?:if|once|when|unless|until|after)\b)/i;

/** The first word in capitals, without quotes and markup; null for a choice of several (`A | B`, `true/false`). */
function firstWord(value: string): string | null {
  const match = /^([A-Za-z_]+)(.?)/.exec(stripMarkup(value));
  if (match === null) return null;
  const rest = stripMarkup(value).slice(match[1]?.length ?? 0);
  const choice = OFFERS_MORE.test(rest);
  return choice ? null : (match[1] ?? "").toUpperCase();
}

function oneOf<T extends string>(words: readonly T[], word: string | null): T | null {
  return words.find((known) => known === word) ?? null;
}

function wholeNumber(value: string | undefined): number | null {
  const digits = /^\d{1,9}(?![\d.])/.exec(stripMarkup(value ?? ""))?.[0];
  return digits === undefined ? null : Number(digits);
}

function sentence(value: string | undefined): string | null {
  const text = stripMarkup(value ?? "").slice(0, 500);
  return text === "" || /^<[^>]*>$/.test(text) ? null : text;
}
