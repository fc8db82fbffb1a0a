import { expect, test } from "bun:test";
import { definedOnly } from "../../src/core/env-vars.ts";

test("a child's environment drops undefined variables and keeps empty ones", () => {
  expect(definedOnly({ PATH: "/bin", EMPTY: "", UNSET: undefined })).toEqual({ PATH: "/bin", EMPTY: "" });
  expect(Object.keys(definedOnly({ UNSET: undefined }))).toEqual([]);
});
