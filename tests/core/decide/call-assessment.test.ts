import { describe, expect, test } from "bun:test";
import { assessCall } from "../../../src/core/decide/call-assessment.ts";
import { ended } from "./ended-call.ts";

const gone = {
  ...ended,
  outcome: "failed" as const,
  exit_code: 1,
  plainLines: ["No conversation found with session ID 7"],
};

describe("a session unknown to the agent", () => {
  test("is dropped, and the call repeated", () => {
    expect(assessCall({ ...gone, resumed: true })).toMatchObject({ repeat: "session" });
  });

  test("is a counted failure if none was resumed, because there is nothing to drop", () => {
    expect(assessCall(gone)).toEqual({
      ok: false,
      repeat: null,
      error: { class: "infrastructure", message: "No conversation found with session ID 7" },
    });
  });
});

test("a call with exit code 0 but no final event fails", () => {
  expect(assessCall(ended)).toMatchObject({ ok: false, error: { class: "infrastructure" } });
});

test("a signal from outside overrides the agent's output, its own signal does not", () => {
  const killed = { ...gone, exit_code: null, plainLines: ["Reading prompt from stdin..."] };
  const messages = ["SIGKILL", "SIGABRT"].map((signal) => assessCall({ ...killed, signal }).error?.message);
  expect(messages).toEqual([
    "The agent was ended by SIGKILL before it had answered. The system does that when memory runs out.",
    "Reading prompt from stdin...",
  ]);
});

test("a limit in the error text makes the call repeat", () => {
  expect(assessCall({ ...gone, plainLines: ["usage limit reached"] })).toMatchObject({ repeat: "limit" });
});

describe("a timeout", () => {
  const late = { ...ended, outcome: "timed_out" as const, exit_code: null };
  const infrastructure = (message: string) => ({ class: "infrastructure" as const, message });
  const nothing = { ok: false, error: null, repeat: null };

  test("without an error is no failure of the provider", () => expect(assessCall(late)).toEqual(nothing));

  test("stays one if the agent still reports the interruption", () => {
    const interrupted = { ...late, finished: { ok: false }, error: infrastructure("Interrupted (user_abort).") };
    expect(assessCall(interrupted)).toEqual(nothing);
  });

  test("with a limit reported by the agent becomes that limit", () => {
    const error = { class: "limit" as const, message: "usage limit" };
    expect(assessCall({ ...late, finished: { ok: false }, error })).toMatchObject({ error, repeat: "limit" });
  });

  test("of a retrying agent has the reason for the retries", () => {
    const error = infrastructure("Reconnecting... 2/5 (stream disconnected)");
    expect(assessCall({ ...late, error })).toMatchObject({ error });
  });
});
