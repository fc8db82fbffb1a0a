/** Git's ignore rules (gitignore manual): which untracked paths do not count. */
import { join } from "node:path";
import { codeOf, reasonOf } from "../../core/system-error.ts";
import { isLike, lowered, parseWildcard, SPECIAL, type Wildcard } from "../../core/text/wildmatch.ts";
import { MAX_SETTINGS_BYTES, readRegularIfThere, readRegularItself } from "../files/regular-file.ts";
import { bytesOf, decodeExactly } from "../git/names.ts";
import { readStamp } from "../git/read.ts";

/** A longer line could match no path that a system allows, but for its stars. */
const LONGEST_PATTERN = 8192;

/** All rules that apply to one folder, anchored to the root of the tree: the last match decides. */
export type Rules = {
  /** Weaker ones. */
  readonly parent: Rules | null;
  readonly patterns: readonly string[];
  readonly own: readonly Rule[];
  /** Whether they ignore a path itself, whatever they say of the folders that it lies in. @param path that of a folder ends in "/" */
  ignores(path: string): boolean;
};

export type RulesSource = {
  /**
   * The rules that apply everywhere: the user's own and the repository's. Returns the same object while the files are
   * unchanged.
   */
  base(files: readonly (string | null)[]): Rules;
  /** `parent` plus the .gitignore of one folder, if any. @param path of the folder from the root, "" or ending in "/" */
  extend(parent: Rules, path: string, location: string): Rules;
};

/** Reads a file again only if it changed. @param warn told of a file that is too large to count */
export function createRulesSource(ignoreCase: boolean, warn: (message: string) => void): RulesSource {
  const known = new Map<string, { parent: Rules | null; stamp: string; rules: Rules }>();
  const memo = (key: string, parent: Rules | null, stamp: string, make: () => Rules): Rules => {
    const old = known.get(key);
    if (old !== undefined && old.parent === parent && old.stamp === stamp) return old.rules;
    const rules = make();
    known.set(key, { parent, stamp, rules });
    return rules;
  };
  return {
    base(files) {
      const named = files.filter((file) => file !== null);
      const stamp = named.map((file) => `${file} ${readStamp(file)}`).join("\n");
      return memo("", null, stamp, () =>
        rulesOf(
          null,
          named.flatMap((file) => patternsOf(rulesText(file, readRegularIfThere, warn), "")),
          ignoreCase,
        ),
      );
    },
    extend(parent, path, location) {
      const file = join(location, ".gitignore");
      const stamp = readStamp(file);
      if (stamp === null) return parent;
      // Git follows no link there; checkpoints keep rules, and a link of an agent's may lead to what only its user may read.
      return memo(`${path}/`, parent, stamp, () =>
        rulesOf(parent, patternsOf(rulesText(file, readRegularItself, warn), path), ignoreCase),
      );
    },
  };
}

/** The text of a .gitignore as its rules are read; "" where it cannot be. @param file absolute; a link is none */
export function ownRulesText(file: string): string {
  return rulesText(file, readRegularItself, () => {});
}

function rulesText(file: string, read: typeof readRegularIfThere, warn: (message: string) => void): string {
  try {
    return decodeExactly(read(file, MAX_SETTINGS_BYTES) ?? Buffer.alloc(0));
  } catch (error) {
    // Whatever else keeps it from being read keeps git from it, too.
    if (codeOf(error) === "ETOOLARGE") warn(`the rules in ${file} do not count (${reasonOf(error)})`);
    return "";
  }
}

/** More rules than those of `parent`, from their patterns. */
export function rulesOf(parent: Rules | null, patterns: readonly string[], ignoreCase: boolean): Rules {
  const own = patterns.map((pattern) => ruleOf(pattern, ignoreCase));
  const rules: Rules = {
    parent,
    patterns,
    own,
    ignores(path) {
      const isFolder = path.endsWith("/");
      const bytes = bytesOf(isFolder ? path.slice(0, -1) : path);
      const text = ignoreCase ? lowered(bytes) : bytes;
      const name = text.slice(text.lastIndexOf("/") + 1);
      for (let some: Rules | null = rules; some !== null; some = some.parent)
        for (let at = some.own.length - 1; at >= 0; at -= 1) {
          const rule = some.own[at];
          if (rule !== undefined && (isFolder || !rule.foldersOnly) && fits(rule, text, name)) return !rule.negated;
        }
      return false;
    },
  };
  return rules;
}

/** Whether rules ignore a path, or a folder in which it lies: nothing in such a folder can be taken back. */
export function hides(rules: Rules, path: string): boolean {
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1))
    if (rules.ignores(path.slice(0, at + 1))) return true;
  return rules.ignores(path);
}

/** A pattern, cut as git cuts it. */
type Rule = {
  negated: boolean;
  foldersOnly: boolean;
  /** What a path begins with. */
  prefix: string;
  /** Of a path: its last name, or what comes after the prefix. */
  of: "name" | "rest";
} & Part;

type Part =
  | { kind: "text"; text: string }
  | { kind: "ending"; text: string }
  | { kind: "wildcard"; wildcard: Wildcard }
  | { kind: "never" };

function fits(rule: Rule, path: string, name: string): boolean {
  if (!path.startsWith(rule.prefix)) return false;
  const part = rule.of === "name" ? name : path.slice(rule.prefix.length);
  if (rule.kind === "text") return part === rule.text;
  if (rule.kind === "ending") return part.endsWith(rule.text);
  return rule.kind === "wildcard" && isLike(rule.wildcard, part);
}

function ruleOf(pattern: string, fold: boolean): Rule {
  const negated = pattern.startsWith("!");
  const foldersOnly = pattern.endsWith("/");
  const body = bytesOf(pattern.slice(negated ? 1 : 0, foldersOnly ? -1 : undefined));
  const path = body.replace(/^\//, "");
  const special = path.search(SPECIAL);
  const split = !body.includes("/") ? 0 : special === -1 ? path.length : special;
  const prefix = path.slice(0, split);
  const rest = path.slice(split);
  // `**/` at a slash is what a pattern without one has by itself.
  const anywhere =
    /^(?:.*\/)?$/s.test(prefix) && rest.startsWith("**/") && !rest.includes("/", 3) ? rest.slice(3) : null;
  const of = anywhere !== null || !body.includes("/") ? "name" : "rest";
  const rule = { negated, foldersOnly, prefix: fold ? lowered(prefix) : prefix, of } as const;
  return { ...rule, ...partOf(anywhere ?? rest, of, fold) };
}

function partOf(text: string, of: Rule["of"], fold: boolean): Part {
  if (!SPECIAL.test(text)) return { kind: "text", text: fold ? lowered(text) : text };
  const end = text.slice(1);
  if (of === "name" && text.startsWith("*") && !SPECIAL.test(end))
    return { kind: "ending", text: fold ? lowered(end) : end };
  const wildcard = parseWildcard(text, fold);
  return wildcard === null ? { kind: "never" } : { kind: "wildcard", wildcard };
}

/** All patterns of rules, weakest first. */
export function allPatterns({ parent, patterns }: Rules): string[] {
  return [...(parent === null ? [] : allPatterns(parent)), ...patterns];
}

/** The patterns of one ignore file, anchored to the root. @param folder of that file, "" or ending in "/" */
export function patternsOf(text: string, folder: string): string[] {
  if (Buffer.byteLength(text) > MAX_SETTINGS_BYTES) return []; // in a checkpoint: it did not count then, either
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return lines.flatMap((line) => anchored(line.replace(/\r$/, ""), folder) ?? []);
}

function anchored(line: string, folder: string): string | null {
  const pattern = withoutBlanks(line);
  if (/^!?$/.test(pattern) || pattern.startsWith("#") || pattern.length > LONGEST_PATTERN) return null;
  if (folder === "") return pattern;
  const negated = pattern.startsWith("!");
  const body = pattern.slice(negated ? 1 : 0);
  const hasFolder = body.slice(0, -1).includes("/");
  const rest = hasFolder ? body.replace(/^\//, "") : `**/${body}`;
  return `${negated ? "!" : ""}/${folder.replace(/[\\*?[\]]/g, "\\$&")}${rest}`;
}

/** A blank at the end counts if a backslash stands before it. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}
