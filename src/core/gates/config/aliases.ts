/** A module, by the name or pattern under which it is asked for, and what is taken in its place. */
const ALIAS = /^\s*(?:"([^"]+)"|'([^']+)')\s*:\s*(.*)$/;
const FOUND = /\bfind\s*:\s*(?:"([^"]+)"|'([^']+)'|\/(.+?)\/)\s*,\s*replacement\s*:\s*(.*)$/;
/** A file beside the one that asks for it: nobody gives another name to that. */
const BESIDE = /^\^?\.(?:\{1,2\}|\.)?\/([\w/-]*\w)(?:\.\w+)?\$?$/;
/** All of the project's own. */
const ALL_OWN = /^\^?(?:@|~|src|<rootDir>)\/(?:\(?\.\*\)?|\*)\$?$/;
const STAND_IN = /(?:^|[/._-])_{0,2}(?:mocks?|fakes?|stubs?|dummy|dummies|doubles?|noop)(?:_{0,2}(?:[/._-]|$))/i;

/**
 * Whether a line of configuration has something else taken in place of a file of the project. Another name for a folder, or for a
 * package, is none.
 * @param next the line below it, where an alias of two lines goes on
 */
export function isStandIn(line: string, next: string): boolean {
  const [, a, b, c, value = ""] = FOUND.exec(`${line.trim()} ${next.trim()}`) ?? aliasIn(line);
  const key = (a ?? b ?? c ?? "").replace(/\\+(?=[./])/g, "");
  const target = [...value.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, one, other = ""]) => one ?? other).at(-1);
  if (target === undefined) return false;
  const file = BESIDE.exec(key)?.[1]?.split("/").at(-1);
  if (file !== undefined) return STAND_IN.test(target) || !target.split(/[/.]/).includes(file);
  return ALL_OWN.test(key) && STAND_IN.test(target);
}

function aliasIn(line: string): (string | undefined)[] {
  const [whole, a, b, value] = ALIAS.exec(line) ?? [];
  return [whole, a, b, undefined, value];
}
