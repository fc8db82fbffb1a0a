/** A version by Semantic Versioning 2.0.0; build metadata is ignored. */
export type Version = { numbers: readonly number[]; prerelease: readonly string[] };

const STRICT =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
/** Agents also use versions of one or two numbers, and dates with leading zeros. */
const LENIENT = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/**
 * Null for a text that is no version.
 * @param lenient a missing number counts as 0, and numbers may have leading zeros
 */
export function parseVersion(text: string, { lenient = false } = {}): Version | null {
  const found = (lenient ? LENIENT : STRICT).exec(text.trim());
  if (found === null) return null;
  const [, major, minor = 0, patch = 0, prerelease] = found;
  return { numbers: [major, minor, patch].map(Number), prerelease: prerelease?.split(".") ?? [] };
}

/** Whether one version, parsed leniently, precedes another; false for a text that is no version. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version, { lenient: true }), parseVersion(than, { lenient: true })];
  return a !== null && b !== null && compareVersions(a, b) < 0;
}

/** Precedence (semver.org, 11): negative if `a` comes before `b`. */
export function compareVersions(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A pre-release comes before its release.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (const [index, word] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = compareWords(word, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Numbers by value and before all others, the others in ASCII order. */
function compareWords(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber && bIsNumber) return Number(a) - Number(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
