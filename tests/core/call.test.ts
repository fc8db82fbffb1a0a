import { describe, expect, test } from "bun:test";
import { type CallEnd, judgeCall } from "../../src/core/call.ts";
import type { ErrorClass } from "../../src/driver.ts";

const WORDS: readonly [RegExp, ErrorClass][] = [
  [/no conversation found/i, "session"],
  [/usage limit/i, "limit"],
];
const classify = (text: string): ErrorClass | null => WORDS.find(([words]) => words.test(text))?.[1] ?? null;

const ended: CallEnd = {
  outcome: "ok",
  exit_code: 0,
  spawn_error: null,
  hasFinalEvent: true,
  finished: null,
  error: null,
  limited: false,
  resumed: false,
  plainLines: [],
};
const gone = { ...ended, outcome: "failed" as const, exit_code: 1, plainLines: ["No conversation found with id 7"] };

describe("a session that the agent does not know", () => {
  test("is given up, and the call repeated", () => {
    expect(judgeCall({ ...gone, resumed: true }, classify)).toMatchObject({ repeat: "session" });
  });

  test("is a failure that counts where none was resumed: there is nothing to give up", () => {
    expect(judgeCall(gone, classify)).toEqual({
      ok: false,
      repeat: null,
      error: { class: "infrastructure", message: "No conversation found with id 7" },
    });
  });
});

test("exit 0 without the final event is no success", () => {
  expect(judgeCall(ended, classify)).toMatchObject({ ok: false, error: { class: "infrastructure" } });
});

test("a limit in the error text repeats the call", () => {
  expect(judgeCall({ ...gone, plainLines: ["usage limit reached"] }, classify)).toMatchObject({ repeat: "limit" });
});

test("a timeout without an error says nothing about the provider", () => {
  expect(judgeCall({ ...ended, outcome: "timed_out", exit_code: null }, classify)).toEqual({
    ok: false,
    error: null,
    repeat: null,
  });
});
