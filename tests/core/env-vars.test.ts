import { expect, test } from "bun:test";
import { definedOnly } from "../../src/core/env-vars.ts";

test("a child's environment lacks what is not set, and keeps what is empty", () => {
  expect(definedOnly({ PATH: "/bin", EMPTY: "", UNSET: undefined })).toEqual({ PATH: "/bin", EMPTY: "" });
  expect(Object.keys(definedOnly({ UNSET: undefined }))).toEqual([]);
});
