import { expect, test } from "bun:test";
import fc from "fast-check";
import { isLike, parseWildcard, type Wildcard } from "../../../src/core/text/wildmatch.ts";
import { seed } from "../../seed.ts";

/** A pattern that counts how often something of it is looked at. */
function counted(wildcard: Wildcard): { wildcard: Wildcard; steps(): number } {
  let steps = 0;
  const watch = <List extends object>(list: List): List =>
    new Proxy(list, {
      get(target, key) {
        if (key === "length") return Reflect.get(target, key);
        steps += 1;
        const item: unknown = Reflect.get(target, key);
        return Array.isArray(item) ? watch(item) : item;
      },
    });
  return { wildcard: watch(wildcard), steps: () => steps };
}

function stepsOf(pattern: string, path: string): number {
  const parsed = parseWildcard(pattern, false);
  if (parsed === null) return 0;
  const { wildcard, steps } = counted(parsed);
  isLike(wildcard, path);
  return steps();
}

/** Each character of one beside each of the other, and the ends of both. */
function most(pattern: string, path: string): number {
  return 2 * (pattern.length + 2) * (path.length + 2);
}

test.each([
  ["folders between folders", `${"**/a/".repeat(400)}b`, `${"a/".repeat(1000)}a`],
  ["folders beside folders", `${"**/".repeat(900)}b`, `${"a/".repeat(1000)}a`],
  ["folders of any name", `${"**/*/".repeat(400)}b`, `${"a/".repeat(1000)}a`],
  ["stars in each name", `${"**/*a*a*a/".repeat(100)}b`, `${"aaaaaaaa/".repeat(200)}a`],
  ["stars in one name", `${"*a".repeat(500)}b`, "a".repeat(2000)],
  ["stars, sets and marks in one name", `${"*?[ab]".repeat(300)}c`, "ab".repeat(1000)],
  ["a long end behind a star", `*${"a".repeat(1000)}b`, "a".repeat(2000)],
  ["a long end behind folders", `**/${"a/".repeat(500)}b`, `${"a/".repeat(1000)}a`],
])("a pattern with %s is given up after a bounded number of steps", (_, pattern, path) => {
  expect(isLike(parseWildcard(pattern, false) ?? [], path)).toBe(false);
  expect(stepsOf(pattern, path)).toBeLessThan(most(pattern, path));
});

test("no pattern takes more steps than its length by that of the path", () => {
  const pattern = fc.array(fc.constantFrom("**/", "*", "a", "a/", "?", "[ab]", "**", "b"), { maxLength: 60 });
  const path = fc.array(fc.constantFrom("a", "aa", "ab", "a/", "b/", "aaaa/"), { maxLength: 80 });
  fc.assert(
    fc.property(pattern, path, (parts, names) => {
      const [glob, text] = [parts.join(""), names.join("")];
      expect(stepsOf(glob, text)).toBeLessThanOrEqual(most(glob, text));
    }),
    { seed, numRuns: 2000 },
  );
});
