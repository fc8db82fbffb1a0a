import { describe, expect, test } from "bun:test";
import type { Analysis } from "../../../src/core/answer/analysis-types.ts";
import {
  type CompletionFacts,
  countRejectedClaims,
  exitRule,
  gatesPending,
  noRejectedClaims,
  type RejectedClaims,
  unmetConditions,
} from "../../../src/core/decide/completion.ts";
import {
  type CompletionSignals,
  countSignals,
  newestSignals,
  noSignals,
} from "../../../src/core/decide/completion-signals.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { analysisOf, settingsOf } from "../given.ts";

const none = analysisOf();
const exit = analysisOf({ has_completion_signal: true, exit_signal: true, is_completion_indicator: true });
const words = analysisOf({ is_completion_indicator: true });
const tests = analysisOf({ is_test_only: true });

function counted(answers: readonly Analysis[]): CompletionSignals {
  return answers.reduce((signals, answer, index) => countSignals(signals, index + 1, answer), noSignals());
}

describe("completion signals", () => {
  test("count indicators over the last five iterations", () => {
    expect(counted([words, none, none, none, words]).completion_indicators).toEqual([1, 5]);
    expect(counted([words, none, none, none, none, words]).completion_indicators).toEqual([6]);
  });
  test("count only consecutive done signals and test-only iterations", () => {
    expect(counted([exit, exit, none, exit]).done_signals).toEqual([4]);
    expect(counted([tests, none, tests, tests]).test_only_loops).toEqual([3, 4]);
  });
  test("are shown to other programs as the last five of each", () => {
    const all = analysisOf({ ...exit, is_test_only: true });
    const signals = newestSignals(counted(Array(9).fill(all)));
    for (const list of Object.values(signals)) expect(list).toEqual([5, 6, 7, 8, 9]);
  });
  test("are counted as far as a setting needs", () => {
    const facts = { plan: null, gates: [], redTests: false };
    for (const most of [6, 1000]) {
      const settings = settingsOf({ MAX_CONSECUTIVE_TEST_LOOPS: most, MAX_CONSECUTIVE_DONE_SIGNALS: most });
      const after = (count: number, answer: Analysis) =>
        exitRule(
          {
            signals: counted(Array(count).fill(answer)),
            rejected: noRejectedClaims(),
            exitSignal: false,
            takenOff: [],
            quiet: 0,
          },
          facts,
          settings,
        );
      expect([after(most - 1, tests), after(most, tests)]).toEqual([null, "test_saturation"]);
      const claim = analysisOf({ has_completion_signal: true });
      expect([after(most - 1, claim), after(most, claim)]).toEqual([null, "completion_signals"]);
    }
  });
  test("expire even during iterations without an answer", () => {
    const early = countSignals(noSignals(), 1, words);
    expect(countSignals(early, 6, words).completion_indicators).toEqual([6]);
  });
});

const noFacts: CompletionFacts = { plan: null, gates: [], redTests: false };
const open = { total: 2, checked: 1, unchecked: 1, blocking_unchecked: 1 };
const complete = { total: 2, checked: 2, unchecked: 0, blocking_unchecked: 0 };
const red = { command: "npm test", ok: false };
const green = { command: "npm test", ok: true };
const gate: Partial<Settings> = { TEST_COMMAND: "npm test" };
const evidence: Partial<Settings> = { DONE_POLICY: "evidence" };
const block: Partial<Settings> = { ...gate, QUALITY_GATE_MODE: "block" };

describe("exit rules", () => {
  type Row = [
    name: string,
    answers: Analysis[],
    facts: Partial<CompletionFacts>,
    settings: Partial<Settings>,
    reason: string | null,
    held?: RejectedClaims,
    quiet?: number,
  ];
  const rows: Row[] = [
    ["one exit signal continues", [exit], {}, {}, null],
    ["two indicators without an exit signal continue", [words, words, words, words, words], {}, {}, null],
    ["an exit signal after words of completion ends", [words, none, none, exit], {}, {}, "project_complete"],
    ["an exit signal after stale words continues", [words, none, none, none, none, exit], {}, {}, null],
    ["three test-only iterations end", [tests, tests, tests], {}, {}, "test_saturation"],
    [
      "as many test-only iterations as the setting allows end",
      [tests, tests],
      {},
      { MAX_CONSECUTIVE_TEST_LOOPS: 2 },
      "test_saturation",
    ],
    ["tests come before the exit signal", [tests, tests, { ...exit, is_test_only: true }], {}, {}, "test_saturation"],
    ["evidence: test-only iterations that wrote tests continue", [tests, tests, tests, tests], {}, evidence, null],
    [
      "evidence: test-only iterations of which two changed nothing continue",
      [tests, tests, tests],
      {},
      evidence,
      null,
      noRejectedClaims(),
      2,
    ],
    [
      "evidence: three test-only iterations that changed nothing end",
      [tests, tests, tests],
      {},
      evidence,
      "test_saturation",
      noRejectedClaims(),
      3,
    ],
    ["STATUS COMPLETE twice ends by done signals", [done(), done()], {}, {}, "completion_signals"],
    [
      "as many done signals as the setting allows continue",
      [done(), done()],
      {},
      { MAX_CONSECUTIVE_DONE_SIGNALS: 3 },
      null,
    ],
    ["a complete plan ends without any answer", [], { plan: complete }, {}, "plan_complete"],
    ["an open plan does not hold signals back", [exit, exit], { plan: open }, {}, "project_complete"],
    ["evidence: an open box holds back", [exit, exit], { plan: open }, evidence, null],
    ["evidence: a red test claim holds back", [exit, exit], { redTests: true }, evidence, null],
    ["evidence: red tests hold a complete plan back", [], { plan: complete, redTests: true }, evidence, null],
    ["evidence: a red gate holds back in every mode", [exit, exit], { gates: [red] }, { ...gate, ...evidence }, null],
    [
      "evidence: nothing missing ends",
      [exit, exit],
      { plan: complete, gates: [green] },
      { ...gate, ...evidence },
      "project_complete",
    ],
    ["evidence: gates that did not run hold back", [], { plan: complete }, { ...gate, ...evidence }, null],
    [
      "evidence: three disputed claims end",
      [exit],
      { plan: open },
      evidence,
      "completion_disputed",
      { disputed: 3, gated: 0 },
    ],
    ["evidence: two disputed claims do not end", [exit], { plan: open }, evidence, null, { disputed: 2, gated: 9 }],
    ["signals: disputed claims mean nothing", [exit], { plan: open }, {}, null, { disputed: 9, gated: 0 }],
    ["a red gate that only warns holds nothing back", [exit, exit], { gates: [red] }, gate, "project_complete"],
    ["a red gate that blocks holds back", [exit, exit], { gates: [red] }, block, null],
    [
      "five gated exit signals end",
      [exit],
      { gates: [red] },
      block,
      "safety_circuit_breaker",
      { disputed: 0, gated: 5 },
    ],
    [
      "five gated exit signals do not end if gates only warn",
      [exit],
      { gates: [red] },
      gate,
      null,
      { disputed: 0, gated: 5 },
    ],
  ];
  for (const [name, answers, facts, settings, reason, held, quiet = 0] of rows) {
    test(`case: ${name}`, () => {
      const exitSignal = answers.at(-1)?.exit_signal ?? false;
      const rejected = held ?? noRejectedClaims();
      const claims = { signals: counted(answers), rejected, exitSignal, takenOff: [], quiet };
      expect(exitRule(claims, { ...noFacts, ...facts }, settingsOf(settings))).toBe(
        reason as ReturnType<typeof exitRule>,
      );
    });
  }

  function done(): Analysis {
    return analysisOf({ has_completion_signal: true, is_completion_indicator: true, status: "COMPLETE" });
  }
});

describe("rejected claims", () => {
  const idle = { progress: false, plan_delta: 0 };
  const works = { progress: true, plan_delta: 0 };
  const ticks = { progress: true, plan_delta: 1 };
  const held = (disputed: number, gated: number, restarts = 0) => ({ disputed, gated, restarts });
  const dispute = (before: RejectedClaims, work = idle) =>
    countRejectedClaims(before, exit, { ...noFacts, plan: open }, work);

  test("count without work between them, and only with an objection", () => {
    const disputed = countRejectedClaims({ disputed: 1, gated: 1 }, exit, { ...noFacts, gates: [red] }, idle);
    expect(disputed).toEqual(held(2, 2));
    expect(dispute(disputed)).toEqual(held(3, 0));
    expect(countRejectedClaims(disputed, exit, noFacts, idle)).toEqual(held(0, 0));
  });
  test("stay counted through an answer that neither claims nor works", () => {
    expect(countRejectedClaims(held(2, 2), none, { ...noFacts, gates: [red] }, idle)).toEqual(held(2, 0));
  });
  test("count again from the first after work, in the same answer or in another", () => {
    expect(dispute(held(2, 0), works)).toEqual(held(1, 0, 1));
    expect(countRejectedClaims(held(2, 0), none, noFacts, works)).toEqual(held(0, 0, 1));
    expect(dispute(held(0, 0), works)).toEqual(held(1, 0));
  });
  test("are not begun again for ever by work, unless it ticks a box", () => {
    const claims = (work: typeof idle) => {
      let before: RejectedClaims = noRejectedClaims();
      for (let claim = 1; claim <= 100; claim += 1) {
        before = dispute(before, work);
        if (before.disputed >= 3) return claim;
      }
      return null;
    };
    expect([claims(idle), claims(works), claims(ticks)]).toEqual([3, 18, null]);
  });
  test("of an older journal count without the number of restarts", () => {
    expect(dispute({ disputed: 1, gated: 0 }, works)).toEqual(held(1, 0, 1));
  });
  test("name the missing parts", () => {
    expect(unmetConditions({ plan: open, gates: [green, red], redTests: true })).toEqual([
      "1 box of the plan is open.",
      "The gate `npm test` fails.",
      "The answer says that tests fail.",
    ]);
    expect(unmetConditions({ plan: complete, gates: [green], redTests: false })).toEqual([]);
  });
  test("wait for gates only if those exist, block and did not run", () => {
    expect(gatesPending([], settingsOf(block))).toBe(true);
    expect(gatesPending([], settingsOf({ QUALITY_GATES: ["make lint"], ...evidence }))).toBe(true);
    expect(gatesPending([red], settingsOf(block))).toBe(false);
    expect(gatesPending([], settingsOf(gate))).toBe(false);
    expect(gatesPending([], settingsOf(evidence))).toBe(false);
  });
});
