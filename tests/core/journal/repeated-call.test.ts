import { describe, expect, test } from "bun:test";
import type { EventBody, EventOf } from "../../../src/core/journal/event.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { callEvents, fold, stateOf } from "../given.ts";

const used = (call: number, tokens: number): EventBody => ({
  type: "agent_usage",
  call,
  ...noUsage(),
  input_tokens: tokens,
  cost_usd: tokens / 100,
});
const notice: EventBody = { type: "agent_limit", call: 1, kind: "usage_limit", message: "5 h", resets_at: null };
const limited = { ok: false, outcome: "failed", error: { class: "limit", message: "5 h" }, repeat: "limit" } as const;

/** One call with the events between its start and its end. */
function call(number: number, nth: number, end: Partial<EventOf<"agent_finished">>, ...between: EventBody[]) {
  const [started, ended] = callEvents(number, nth, end);
  if (started === undefined || ended === undefined) throw new Error("a call has a start and an end");
  return [started, ...between, ended];
}

describe("an iteration whose call is repeated", () => {
  test("counts the usage of all its calls", () => {
    const state = fold(stateOf(), [...call(1, 1, limited, used(1, 40)), ...call(1, 2, {}, used(2, 2))]);
    expect(state.open?.usage).toMatchObject({ input_tokens: 42 });
    expect(state.open?.usage.cost_usd).toBeCloseTo(0.42);
    expect(state.usage).toMatchObject({ input_tokens: 42 });
  });

  test("starts with its first call", () => {
    const first = fold(stateOf(), call(1, 1, limited));
    const again = fold(first, call(1, 2, {}));
    expect(again.open?.started_at).toBe(first.open?.started_at ?? "none");
  });

  test("keeps the previous answer's gates, which a limited call does not change", () => {
    const gate: EventBody = { type: "gate_finished", command: "t", exit_code: 1, ms: 1, timed_out: false, output: "" };
    const state = fold(stateOf(), [...call(1, 1, {}), gate]);
    expect(fold(state, call(2, 1, limited)).gates).toEqual(state.gates);
    expect(fold(state, call(2, 1, {})).gates).toEqual([]);
  });
});

describe("an iteration that follows another one", () => {
  test("starts without usage of its own", () => {
    const state = fold(stateOf(), [...call(1, 1, {}, used(1, 40)), ...call(2, 1, {})]);
    expect(state.open?.usage).toEqual(noUsage());
  });
});

describe("the count of consecutive limits, which lengthens the waits", () => {
  const met = fold(stateOf(), call(1, 1, limited, notice));

  test("grows with a limited call, repeated or not", () => {
    expect(met.limit?.count).toBe(1);
    expect(fold(met, call(1, 2, { ...limited, repeat: null }, notice)).limit?.count).toBe(2);
  });

  test("restarts after a call without a limit, even a failed one", () => {
    expect(fold(met, call(1, 2, {})).limit).toBeNull();
    const failed = { ok: false, outcome: "failed", error: { class: "infrastructure", message: "m" } } as const;
    expect(fold(met, call(1, 2, failed)).limit).toBeNull();
  });
});
