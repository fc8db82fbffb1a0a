import { expect, test } from "bun:test";
import { mismatches } from "./match.ts";

const HOLD: [unknown, unknown][] = [
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: null }, {}],
  [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }],
  [{ $in: [1, "a"] }, "a"],
  [{ $any: true }, undefined],
  [{ $any: [["-p"], ["--print"]] }, ["--print"]],
  [{ $ge: 2 }, 2],
  [{ $len_ge: 2 }, "ab"],
  [{ $nonempty: true }, ["x"]],
  [{ $empty: true }, []],
  [{ $endswith: "/a" }, "b/a"],
  [{ $prefix: "--x=" }, "--x=1"],
  [{ $first: { a: 1 } }, [{ a: 1 }, { a: 2 }]],
  [{ $time: "2100-01-01T00:00:00Z" }, "2100-01-01T01:00:00.000+01:00"],
  [{ $bool: true }, false],
  [{ $uuid: true }, "0f8e7d6c-1234-4abc-9def-001122334455"],
];
for (const [expected, actual] of HOLD) {
  test(`${JSON.stringify(expected)} matches ${JSON.stringify(actual)}`, () =>
    expect(mismatches(expected, actual)).toEqual([]));
}

const FAIL: [unknown, unknown, string][] = [
  [{ a: 1 }, { a: 2 }, "a: expected 1, got 2"],
  [{ a: null }, { a: 0 }, "a: expected null, got 0"],
  [{ a: [1] }, { a: [1, 2] }, "a: expected 1 elements: [1], got [1,2]"],
  [{ a: { b: true } }, {}, "a: expected an object, got nothing"],
  [{ $ge: 2 }, 1, "value: expected at least 2, got 1"],
  [{ $nonempty: true }, [], "value: expected something, got []"],
  [{ $any: [["-p"]] }, ["-x"], 'value: expected one of [["-p"]], got ["-x"]'],
];
for (const [expected, actual, problem] of FAIL) {
  test(`${JSON.stringify(expected)} does not match ${JSON.stringify(actual)}`, () =>
    expect(mismatches(expected, actual)).toEqual([problem]));
}

test("an unknown matcher is an error of the data, not a match", () => {
  expect(() => mismatches({ $nope: 1 }, 1)).toThrow("unknown matcher $nope");
});
