import { describe, expect, test } from "bun:test";
import { proofOf } from "../../../src/core/decide/proof.ts";
import {
  acceptGates,
  carriedTrust,
  flakeCount,
  type GateTrust,
  missingTests,
  recordGate,
  trustAfterAnswer,
  untestedGates,
} from "../../../src/core/gates/gate-trust.ts";
import type { EventBody, EventOf } from "../../../src/core/journal/event.ts";
import { carryOver } from "../../../src/core/journal/state.ts";
import { callEvents, fold, NOON, stateOf } from "../given.ts";

type Finished = Extract<EventBody, { type: "gate_finished" }>;
const finished = (about: Partial<Finished> = {}): EventOf<"gate_finished"> => ({
  v: 1,
  seq: 1,
  at: new Date(NOON).toISOString(),
  run: "r",
  iteration: 1,
  type: "gate_finished",
  command: "t",
  exit_code: 0,
  ms: 1,
  timed_out: false,
  output: "",
  ...about,
});
const counts = (passed: number, skipped = 0) => ({ passed, failed: 0, skipped });
const after = (...ends: Partial<Finished>[]): GateTrust =>
  ends.reduce<GateTrust>((trust, end) => recordGate(trust, finished(end)), untestedGates());
const weakened = {
  commands: ["t"],
  evidence: "words" as const,
  reasons: [{ path: "a", line: null, what: "gone" }],
  diff: "",
};

describe("the tests that a gate counts", () => {
  test("are compared with the most that it ever counted", () => {
    const trust = after({ counts: counts(5) }, { counts: counts(9) }, { counts: counts(7) });
    expect(missingTests(trust, ["t"])).toMatchObject([{ path: "t", line: null }]);
    expect(missingTests(after({ counts: counts(5) }, { counts: counts(9) }), ["t"])).toEqual([]);
  });

  test("are those of green runs only", () => {
    const trust = after({ counts: counts(9) }, { counts: counts(2), exit_code: 1 });
    expect(missingTests(trust, ["t"])).toEqual([]);
    expect(trust.history.t).toMatchObject({ ok: false, counts: counts(9) });
  });

  test("say nothing where the gate prints none, or did not run", () => {
    expect(missingTests(after({}), ["t", "u"])).toEqual([]);
  });

  test("are the new measure once a person accepts the gates", () => {
    const trust = acceptGates(after({ counts: counts(9) }, { counts: counts(7) }));
    expect(missingTests(trust, ["t"])).toEqual([]);
    expect(trust).toMatchObject({ frozen: null, weakened: null, claims: 0, accepted: 1 });
  });
});

test("only a gate that was red and then green is a flake", () => {
  const first_run = { exit_code: 1, timed_out: false, file: "x" };
  expect(flakeCount(after({ first_run }, { first_run, exit_code: 1 }, {}))).toBe(1);
});

describe("answers that rest on weaker gates", () => {
  const trust: GateTrust = { ...untestedGates(), weakened: { ...weakened, iteration: 1 }, claims: 1 };

  test("are counted", () => {
    expect(trustAfterAnswer(trust, [{ weakened: true }]).claims).toBe(2);
  });

  test.each([
    ["while a gate is red or was not judged", [{}]],
    ["without gates", []],
  ])("stay counted %s", (_name, gates) => {
    expect(trustAfterAnswer(trust, gates).claims).toBe(1);
  });

  test("are forgotten once the gates are found to hold", () => {
    const state = fold(stateOf({ gate_trust: trust }), [{ type: "gate_restored" }]);
    expect(state.gate_trust).toMatchObject({ weakened: null, claims: 0 });
  });
});

describe("the next run", () => {
  const frozen = { run: "r", digest: "d", files: 3 };
  test("begins with the frozen gates of work that is not done", () => {
    expect(carriedTrust({ ...untestedGates(), frozen, claims: 2 }, false)).toEqual({ ...untestedGates(), frozen });
    expect(carriedTrust({ ...untestedGates(), frozen }, true).frozen).toBeNull();
  });

  test.each([
    ["plan_complete", null],
    ["import_complete", frozen],
    ["max_iterations", frozen],
  ] as const)("after %s begins with %p", (reason, expected) => {
    const at = new Date(NOON).toISOString();
    const state = stateOf({
      gate_trust: { ...untestedGates(), frozen },
      finished: { reason, exit_code: 0, sentence: "", at },
    });
    expect(carryOver(state).gate_trust.frozen).toEqual(expected);
  });
});

describe("in the journal", () => {
  test("weaker gates do not count, whatever their exit code, and no longer after the next call", () => {
    const body = { type: "gate_weakened", ...weakened } satisfies EventBody;
    const { v, seq, at, run, iteration, ...gate } = finished();
    const state = fold(stateOf(), [...callEvents(1, 1), gate, { ...gate, command: "u" }, body]);
    expect(state.gates).toMatchObject([
      { command: "t", ok: false, weakened: true },
      { command: "u", ok: true },
    ]);
    expect(state.gate_trust.weakened).toMatchObject(weakened);
    expect(fold(state, callEvents(2, 1)).gates).toEqual([]);
  });

  test("a start by an older ralph has gates that nobody looked at", () => {
    const { gate_trust: _, ...old } = stateOf();
    const started: EventBody = {
      type: "run_started",
      version: "0",
      driver: "demo",
      settings: {},
      state: old as ReturnType<typeof stateOf>,
      pid: 1,
      started_by: "cli",
      project: "/project",
    };
    expect(fold(stateOf(), [started]).gate_trust).toEqual(untestedGates());
  });
});

describe("what done rests on", () => {
  test.each([
    ["green gates", "project_complete", [{ command: "t", ok: true }], "gates"],
    ["a look where there are no gates", "plan_complete", [], "review"],
    ["the agent's word where a gate is red", "project_complete", [{ command: "t", ok: false }], "word"],
    [
      "the agent's word where every gate ran no test",
      "plan_complete",
      [{ command: "t", ok: true, no_tests: true }],
      "word",
    ],
    [
      "green gates, one of which ran no test",
      "plan_complete",
      [
        { command: "t", ok: true, no_tests: true },
        { command: "lint", ok: true },
      ],
      "gates",
    ],
    ["the agent's word without gates", "plan_complete", [], "word"],
    ["nothing where it is not done", "max_iterations", [{ command: "t", ok: true }], null],
    ["nothing after an import", "import_complete", [], null],
  ] as const)("is %s", (_name, reason, gates, proof) => {
    expect(proofOf(reason, gates, proof === "review")).toBe(proof);
  });
});
