/**
 * A number from 0 to below 1 that depends on nothing but its keys. Loops that are compared therefore meet the same luck: the
 * draw for "the work on task 3 in call 7" is the same whatever else was drawn before.
 */
export function chance(...keys: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of keys.join("/")) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // Murmur3's finaliser: neighbouring keys must not give neighbouring numbers.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
