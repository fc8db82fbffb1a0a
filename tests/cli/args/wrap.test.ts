import { expect, test } from "bun:test";
import { twoColumns } from "../../../src/cli/args/wrap.ts";

test("two columns align by the width on a terminal, with wide characters too", () => {
  expect(
    twoColumns(
      [
        ["a", "日本語です 日本語です"],
        ["日本", "b"],
      ],
      6,
      30,
    ),
  ).toEqual(["a     日本語です 日本語です", "日本  b"]);
  expect(twoColumns([["a", "日本語です 日本語です"]], 6, 26)).toEqual(["a     日本語です", "      日本語です"]);
});
