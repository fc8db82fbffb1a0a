import { describe, expect, test } from "bun:test";
import { compareVersions, parseVersion } from "../../../src/core/release/semver.ts";

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

test("versions are ordered as Semantic Versioning says, each against each", () => {
  expect(versions).toHaveLength(ORDER.length);
  for (const [i, a] of versions.entries())
    for (const [j, b] of versions.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
});

describe("what is no version", () => {
  test.each(["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "latest", "1.2.3-"])("%p", (text) =>
    expect(parseVersion(text)).toBeNull(),
  );
});

test("a leading v and build metadata are of no account", () => {
  expect(parseVersion("v1.2.3+build.5")).toEqual({ numbers: [1, 2, 3], prerelease: [] });
});
