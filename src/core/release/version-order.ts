/**
 * Whether a version comes before another in the order of semver, builds apart. Missing parts count as 0.
 * Words that are no version are older than nothing.
 */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  if (a === null || b === null) return false;
  for (const [index, part] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0;
    if (part !== other) return part < other;
  }
  return comesBefore(a.pre, b.pre);
}

const VERSION = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

function partsOf(version: string): { numbers: number[]; pre: string[] } | null {
  const match = VERSION.exec(version.trim());
  if (match === null) return null;
  const pre = match[4] === undefined ? [] : match[4].split(".");
  return { numbers: [match[1], match[2], match[3]].map((part) => Number(part ?? 0)), pre };
}

/** A release comes after all that led to it; numbers come before words. */
function comesBefore(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0) return a.length > 0 && b.length === 0;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return false;
    if (part === other) continue;
    const numbers = [part, other].map((word) => (/^\d+$/.test(word) ? Number(word) : null));
    const [x = null, y = null] = numbers;
    if (x !== null && y !== null) return x < y;
    return x === null && y === null ? part < other : x !== null;
  }
  return a.length < b.length;
}
