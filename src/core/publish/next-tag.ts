/** The name of the next tag. */
const PLACE = "{n}";
const VERSION = /^(v?)(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/** What `--tag` asks for. */
export type TagRule = { kind: "patch" | "minor" } | { kind: "name"; before: string; after: string };

/** Reads TAG: `patch`, `minor`, or a name with `{n}` in it; null for anything else. */
export function parseTag(text: string): TagRule | null {
  const word = text.trim();
  if (word === "patch" || word === "minor") return { kind: word };
  const [before = "", after, ...more] = word.split(PLACE);
  const isName = after !== undefined && more.length === 0 && isTagName(`${before}1${after}`);
  return isName ? { kind: "name", before, after } : null;
}

/** What git allows in the name of a tag (git-check-ref-format). */
function isTagName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them
  return !/[\u0000- ~^:?*[\\\u007F]|\.\.|@\{|\/\/|^[-/.]|\/\.|[./]$|\.lock(?:\/|$)|^@$/.test(name);
}

/**
 * The name of the next tag. A version follows the highest one, with or without `v` as that has it; the first are v0.0.1 and v0.1.0.
 * @param names of all tags, here and in the remote
 */
export function nextTag(rule: TagRule, names: readonly string[]): string {
  if (rule.kind === "name") {
    const numbers = names.map((name) => numberIn(rule, name)).filter((n) => n !== null);
    return `${rule.before}${Math.max(0, ...numbers) + 1}${rule.after}`;
  }
  const [, prefix = "v", ...figures] = VERSION.exec(highestVersion(names) ?? "") ?? [];
  const [major = 0, minor = 0, patch = 0] = figures.map(Number);
  return rule.kind === "patch" ? `${prefix}${major}.${minor}.${patch + 1}` : `${prefix}${major}.${minor + 1}.0`;
}

/** The tag among these that the rule would have made; null if none is. */
export function tagOf(rule: TagRule, names: readonly string[]): string | null {
  if (rule.kind === "name") return names.find((name) => numberIn(rule, name) !== null) ?? null;
  return highestVersion(names);
}

function numberIn({ before, after }: { before: string; after: string }, name: string): number | null {
  if (!name.startsWith(before) || !name.endsWith(after)) return null;
  const middle = name.slice(before.length, name.length - after.length);
  return /^\d{1,9}$/.test(middle) ? Number(middle) : null;
}

function highestVersion(names: readonly string[]): string | null {
  const versions = names.filter((name) => VERSION.test(name));
  return versions.sort((a, b) => compareVersions(b, a))[0] ?? null;
}

function compareVersions(a: string, b: string): number {
  const figures = (name: string) => (VERSION.exec(name) ?? []).slice(2).map(Number);
  const [left, right] = [figures(a), figures(b)];
  const at = left.findIndex((figure, index) => figure !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
