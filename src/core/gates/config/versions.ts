import { isOlder } from "../../release/semver.ts";

/** A version of what tests run on, as a range or not, by its first three numbers. */
const VERSION = /^["']?[\^~<>=v]*(\d+(?:\.\d+){0,2})[\w.*@-]*["']?$/;

/** Whether versions take the place of others: not fewer, and the newest no older than the newest before. False where one is no version. */
export function areNewer(before: readonly string[], after: readonly string[]): boolean {
  const [were, are] = [versionsIn(before), versionsIn(after)];
  const enough = were.size > 0 && are.size >= were.size;
  return enough && !isOlder(newest(are), newest(were));
}

/** None of a list with an entry that is no version. */
function versionsIn(list: readonly string[]): ReadonlySet<string> {
  const found = list.flatMap((entry) => VERSION.exec(entry)?.[1] ?? []);
  return new Set(found.length === list.length ? found : []);
}

function newest(versions: ReadonlySet<string>): string {
  return [...versions].reduce((a, b) => (isOlder(a, b) ? b : a));
}
