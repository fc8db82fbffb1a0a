import { expect, test } from "bun:test";
import { programName } from "../../../src/effects/process/self.ts";

test.each([
  ["as it is", "/home/u/.local/bin/ralph", "/home/u/.local/bin/ralph"],
  ["without Linux's mark of a replaced file", "/home/u/.local/bin/ralph (deleted)", "/home/u/.local/bin/ralph"],
])("a program's name is taken %s", (_, path, expected) => {
  expect(programName(path)).toBe(expected);
});
