import { expect, test } from "bun:test";
import { covers } from "../../../../src/core/gates/config/path-patterns.ts";

test.each([
  ["src/**", "src/a/b.ts", true],
  ["**/b.ts", "b.ts", true],
  ["**/b.ts", "a/cb.ts", false],
  ["src/*", "src/a/b.ts", false],
  ["src", "src/a/b.ts", true],
  ["src", "srcs/a.ts", false],
  ["./src/", "<rootDir>/src", true],
  [".", "src/a.ts", false],
  ["a?.ts", "a?.ts", true],
  ["a?.ts", "ab.ts", false],
  ["[", "[a", false],
  ["*", "a".repeat(300), false],
])("%s covers %s: %p", (wide, narrow, is) => {
  expect(covers(wide, narrow)).toBe(is);
});
