import { describe, expect, test } from "bun:test";
import { chooseRun } from "../../../src/cli/show/choose-run.ts";

const runs = ["0001-20260304-120000", "0002-20260305-120000", "1000-20260306-120000", "10001-20260307-120000"];

describe("choosing a run", () => {
  test.each([
    [undefined, "10001-20260307-120000"],
    ["0002-20260305-120000", "0002-20260305-120000"],
    ["1", "0001-20260304-120000"],
    ["0001", "0001-20260304-120000"],
    ["1000", "1000-20260306-120000"],
    ["10001", "10001-20260307-120000"],
    ["0002-2026", "0002-20260305-120000"],
  ])("by %j picks %s", (wanted, run) => expect(chooseRun(runs, wanted)).toBe(run));
});

test.each([
  ["7", 'There is no run "7".'],
  ["", 'There is no run "".'],
  ["000", 'Several runs begin with "000".'],
])("choosing a run by %j fails with %p", (wanted, message) => expect(() => chooseRun(runs, wanted)).toThrow(message));
