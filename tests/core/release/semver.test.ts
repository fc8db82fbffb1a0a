import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareVersions, isOlder, parseVersion } from "../../../src/core/release/semver.ts";
import { seed } from "../../seed.ts";

/** The order of semver.org's own example, with numbers of more than one digit. */
const ORDER = [
  "0.9.9",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1",
  "1.2.0",
  "1.10.0",
  "2.0.0",
];

const versions = ORDER.map((text) => parseVersion(text)).filter((version) => version !== null);

test("every two versions are in the order of Semantic Versioning", () => {
  expect(versions).toHaveLength(ORDER.length);
  for (const [i, a] of versions.entries())
    for (const [j, b] of versions.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
});

describe("the parser of versions", () => {
  test.each(["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "latest", "1.2.3-"])("refuses %p", (text) =>
    expect(parseVersion(text)).toBeNull(),
  );
});

test("versions are compared without a leading v and build metadata", () => {
  expect(parseVersion("v1.2.3+build.5")).toEqual({ numbers: [1, 2, 3], prerelease: [] });
});

test("versions parsed leniently are in order, including short ones", () => {
  const ascending = ["0.9.9", "1.0.0-rc.1", "1", "1.0.1", "1.2", "1.10.0", "2", "2.0.76", "2.0.197", "10.0.0"];
  for (const [i, a] of ascending.entries())
    for (const [j, b] of ascending.entries()) expect(`${a} ${b} ${isOlder(a, b)}`).toBe(`${a} ${b} ${i < j}`);
});

test.each([
  ["2", "2.0.0"],
  ["2.0", "v2.0.0"],
  ["2.0.0+a", "2.0.0+b"],
  ["2025.09.08", "2025.9.8"],
])("the versions %p and %p, parsed leniently, are equal", (a, b) =>
  expect([isOlder(a, b), isOlder(b, a)]).toEqual([false, false]),
);

test("isOlder is false for a text that is no version", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\s*v?\d/.test(text));
      expect([isOlder(text, "1.0.0"), isOlder("1.0.0", text)]).toEqual([false, false]);
    }),
    { seed },
  );
});
