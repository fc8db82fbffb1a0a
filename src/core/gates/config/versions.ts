/** A version of what tests run on, as a range or not. */
const VERSION = /^["']?[\^~<>=v]*(\d+(?:\.\d+)*)[\w.*@-]*["']?$/;

/** Whether versions take the place of older ones: not fewer, and none of them older than the newest before. */
export function areNewer(before: readonly string[], after: readonly string[]): boolean {
  const [were, are] = [before, after].map((list) => new Set(list.map((entry) => VERSION.exec(entry)?.[1])));
  if (were === undefined || are === undefined || were.has(undefined) || are.has(undefined)) return false;
  const newest = (versions: ReadonlySet<string | undefined>) => [...versions].reduce(newer) ?? "";
  return are.size >= were.size && newer(newest(were), newest(are)) === newest(are);
}

function newer(a: string | undefined, b: string | undefined): string | undefined {
  const [were, are] = [a, b].map((version) => version?.split(".").map(Number) ?? []);
  const at = are?.findIndex((part, index) => part !== (were?.[index] ?? 0)) ?? -1;
  return at >= 0 && (are?.[at] ?? 0) < (were?.[at] ?? 0) ? a : b;
}
