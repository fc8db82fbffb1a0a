import { describe, expect, test } from "bun:test";
import type { WordedClass } from "../../../src/core/answer/error-patterns.ts";
import { assessCall } from "../../../src/core/decide/call-assessment.ts";
import type { ErrorClass } from "../../../src/driver.ts";
import { ended } from "./ended-call.ts";

const WORDS: readonly [RegExp, ErrorClass][] = [
  [/no conversation found/i, "session"],
  [/usage limit/i, "limit"],
];
const classify = (text: string): WordedClass | null => {
  const found = WORDS.find(([words]) => words.test(text))?.[1];
  return found === undefined ? null : { class: found, passing: false };
};

const gone = { ...ended, outcome: "failed" as const, exit_code: 1, plainLines: ["No conversation found with id 7"] };

describe("a session unknown to the agent", () => {
  test("is dropped, and the call repeated", () => {
    expect(assessCall({ ...gone, resumed: true }, classify)).toMatchObject({ repeat: "session" });
  });

  test("is a counted failure if none was resumed, because there is nothing to drop", () => {
    expect(assessCall(gone, classify)).toEqual({
      ok: false,
      repeat: null,
      error: { class: "infrastructure", message: "No conversation found with id 7" },
    });
  });
});

test("a call with exit code 0 but no final event fails", () => {
  expect(assessCall(ended, classify)).toMatchObject({ ok: false, error: { class: "infrastructure" } });
});

test("a signal from outside overrides the agent's output, its own signal does not", () => {
  const killed = { ...gone, exit_code: null, plainLines: ["Reading prompt from stdin..."] };
  const messages = ["SIGKILL", "SIGABRT"].map((signal) => assessCall({ ...killed, signal }, classify).error?.message);
  expect(messages).toEqual(["The agent was ended by SIGKILL before it had answered.", "Reading prompt from stdin..."]);
});

test("a limit in the error text makes the call repeat", () => {
  expect(assessCall({ ...gone, plainLines: ["usage limit reached"] }, classify)).toMatchObject({ repeat: "limit" });
});

describe("a timeout", () => {
  const late = { ...ended, outcome: "timed_out" as const, exit_code: null };
  const infrastructure = (message: string) => ({ class: "infrastructure" as const, message });
  const nothing = { ok: false, error: null, repeat: null };

  test("without an error is no failure of the provider", () => expect(assessCall(late, classify)).toEqual(nothing));

  test("stays one if the agent still reports the interruption", () => {
    const interrupted = { ...late, finished: { ok: false }, error: infrastructure("Interrupted (user_abort).") };
    expect(assessCall(interrupted, classify)).toEqual(nothing);
  });

  test("with a limit reported by the agent becomes that limit", () => {
    const error = { class: "limit" as const, message: "usage limit" };
    expect(assessCall({ ...late, finished: { ok: false }, error }, classify)).toMatchObject({ error, repeat: "limit" });
  });

  test("of a retrying agent has the reason for the retries", () => {
    const error = infrastructure("Reconnecting... 2/5 (stream disconnected)");
    expect(assessCall({ ...late, error }, classify)).toMatchObject({ error });
  });
});
