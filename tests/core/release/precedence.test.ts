import { expect, test } from "bun:test";
import { compareVersions, parseVersion } from "../../../src/core/release/semver.ts";

const compare = (a: string, b: string) => {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (first === null || second === null) throw new Error("no version");
  return Math.sign(compareVersions(first, second));
};

test("a version may have surrounding blanks", () => expect(parseVersion(" 1.2.3\n")?.numbers).toEqual([1, 2, 3]));

test.each([
  ["1.0.0-2", "1.0.0-10"],
  ["1.0.0-99", "1.0.0-1a"],
  ["1.0.0-1a", "1.0.0-a1"],
  ["1.0.0-a", "1.0.0-a.1"],
  ["1.0.0-a.1", "1.0.0"],
  ["1.0.0-alpha.2", "1.0.0-alpha.beta"],
])("the version %s precedes %s", (a, b) => expect([compare(a, b), compare(b, a), compare(a, a)]).toEqual([-1, 1, 0]));
