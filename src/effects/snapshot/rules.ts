/** Git's ignore rules (gitignore manual): which untracked paths do not count. */
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { codeOf, reasonOf } from "../../core/system-error.ts";
import { MAX_SETTINGS_BYTES, readRegularIfThere, readRegularItself } from "../files/regular-file.ts";
import { readStamp } from "../git/read.ts";

/** A longer line could match no path that a system allows, and may be more than can be made an expression of. */
const LONGEST_PATTERN = 8192;

/** All rules that apply to one folder, weakest first, anchored to the root of the tree: the last match decides. */
export type Rules = Ignore;

export type RulesSource = {
  /**
   * The rules that apply everywhere: the user's own and the repository's. Returns the same object while the files are
   * unchanged.
   */
  base(files: readonly (string | null)[]): Rules;
  /** `parent` plus the .gitignore of one folder, if any. @param path of the folder from the root, "" or ending in "/" */
  extend(parent: Rules, path: string, location: string): Rules;
  /** The patterns of rules that this source made, weakest first. */
  patterns(rules: Rules): readonly string[];
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
  const made = new WeakMap<Rules, { parent: Rules | null; patterns: readonly string[] }>();
  const from = (parent: Rules | null, patterns: readonly string[]): Rules => {
    const rules = rulesOf(parent, patterns, ignoreCase);
    made.set(rules, { parent, patterns });
    return rules;
  };
  const allOf = (rules: Rules | null): readonly string[] => {
    const known = rules === null ? undefined : made.get(rules);
    return known === undefined ? [] : [...allOf(known.parent), ...known.patterns];
  };
  return {
    patterns: allOf,
    base(files) {
      const named = files.filter((file) => file !== null);
      const stamp = named.map((file) => `${file} ${readStamp(file)}`).join("\n");
      return memo("", null, stamp, () =>
        from(
          null,
          named.flatMap((file) => patternsOf(rulesText(file, readRegularIfThere, warn), "")),
        ),
      );
    },
    extend(parent, path, location) {
      const file = join(location, ".gitignore");
      const stamp = readStamp(file);
      if (stamp === null) return parent;
      // Git follows no link there; checkpoints keep rules, and a link of an agent's may lead to what only its user may read.
      return memo(`${path}/`, parent, stamp, () =>
        from(parent, patternsOf(rulesText(file, readRegularItself, warn), path)),
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
    return read(file, MAX_SETTINGS_BYTES)?.toString("utf8") ?? "";
  } catch (error) {
    // Whatever else keeps it from being read keeps git from it, too.
    if (codeOf(error) === "ETOOLARGE") warn(`the rules in ${file} do not count (${reasonOf(error)})`);
    return "";
  }
}

/** More rules than those of `parent`, from their patterns. */
export function rulesOf(parent: Rules | null, patterns: readonly string[], ignoreCase: boolean): Rules {
  const rules = ignore({ ignorecase: ignoreCase, allowRelativePaths: true });
  return (parent === null ? rules : rules.add(parent)).add(patterns);
}

/** The patterns of one ignore file, anchored to the root. @param folder of that file, "" or ending in "/" */
export function patternsOf(text: string, folder: string): string[] {
  if (Buffer.byteLength(text) > MAX_SETTINGS_BYTES) return []; // in a checkpoint: it did not count then, either
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return lines.flatMap((line) => anchored(line, folder) ?? []);
}

function anchored(line: string, folder: string): string | null {
  const pattern = line.replace(/(?<!\\) +$/, "");
  if (pattern === "" || pattern.startsWith("#") || pattern === "/" || pattern === "!/") return null;
  if (pattern.length > LONGEST_PATTERN) return null;
  if (folder === "") return pattern;
  const negated = pattern.startsWith("!");
  const body = pattern.slice(negated ? 1 : 0).replace(/^\\(?=[!#])/, "");
  const hasFolder = body.slice(0, -1).includes("/");
  const rest = hasFolder ? body.replace(/^\//, "") : `**/${body}`;
  return `${negated ? "!" : ""}/${folder.replace(/[\\*?[\]]/g, "\\$&")}${rest}`;
}
