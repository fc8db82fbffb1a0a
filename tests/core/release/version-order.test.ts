import { expect, test } from "bun:test";
import fc from "fast-check";
import { isOlder } from "../../../src/core/release/version-order.ts";
import { seed } from "../../seed.ts";

const ascending = [
  "0.9.9",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1",
  "1.2",
  "1.10.0",
  "2",
  "2.0.76",
  "2.0.197",
  "10.0.0",
];

test("versions stand in the order of semver", () => {
  for (const [i, a] of ascending.entries())
    for (const [j, b] of ascending.entries()) expect(`${a} ${b} ${isOlder(a, b)}`).toBe(`${a} ${b} ${i < j}`);
});

test("missing parts are 0, and builds say nothing", () => {
  for (const [a, b] of [
    ["2", "2.0.0"],
    ["2.0", "v2.0.0"],
    ["2.0.0+a", "2.0.0+b"],
  ] as const)
    expect([isOlder(a, b), isOlder(b, a)]).toEqual([false, false]);
});

test("what is no version is older than nothing, and nothing is older than it", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\s*v?\d/.test(text));
      expect([isOlder(text, "1.0.0"), isOlder("1.0.0", text)]).toEqual([false, false]);
    }),
    { seed },
  );
});
