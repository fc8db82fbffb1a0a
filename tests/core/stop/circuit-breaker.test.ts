import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type BreakerInput,
  breakerAtStart,
  breakerInput,
  type CircuitBreaker,
  closedBreaker,
  type FinishedIteration,
  stepBreaker,
} from "../../../src/core/stop/circuit-breaker.ts";
import { seed } from "../../seed.ts";
import { analysisOf, evidenceOf, MINUTE, NOON, settingsOf } from "../given.ts";

const settings = settingsOf();
const idle: BreakerInput = { progress: "none", errors: null, denied: false, readOnlyTimeout: false, declined: false };
const progress: BreakerInput = { ...idle, progress: "made" };
const question: BreakerInput = { ...idle, progress: "asked" };

function after(
  outcomes: readonly (BreakerInput | null)[],
  start = closedBreaker(),
  thresholds = settings,
): CircuitBreaker {
  return outcomes.reduce(
    (breaker, outcome, index) => stepBreaker(breaker, outcome, { thresholds, number: index + 1, now: NOON }),
    start,
  );
}

function reasonOf(breaker: CircuitBreaker): string {
  return breaker.state === "open" ? breaker.reason : breaker.state;
}

const cooled: CircuitBreaker = {
  ...closedBreaker(),
  no_progress: 3,
  total_opens: 1,
  state: "half_open",
  why: "cooldown",
};

describe("the breaker", () => {
  const error: BreakerInput = { ...progress, errors: "e" };
  const other: BreakerInput = { ...progress, errors: "f" };
  const denied: BreakerInput = { ...progress, denied: true };
  const timeout: BreakerInput = { ...idle, readOnlyTimeout: true };
  const refused: BreakerInput = { ...idle, progress: "refused", errors: "e" };
  const cases: [string, (BreakerInput | null)[], string][] = [
    ["warns after two idle iterations", [idle, idle], "half_open"],
    ["opens after three idle iterations", [idle, idle, idle], "stagnation_detected"],
    ["closes on progress", [idle, idle, progress], "closed"],
    ["ignores infrastructure failures", [idle, null, null, null, null], "closed"],
    ["does not count questions as idle", [idle, idle, question, question], "half_open"],
    ["does not count refused requests as idle", [idle, idle, refused], "half_open"],
    ["opens at the fifth equal error, with progress too", [error, error, error, error, error], "repeated_error"],
    ["counts refused requests for the same error", [refused, refused, refused, refused, refused], "repeated_error"],
    ["counts again with another error", [error, error, error, error, other, error], "closed"],
    ["counts again after an iteration without errors", [error, error, error, error, progress, error], "closed"],
    ["opens at the second denial", [denied, denied], "permission_denials"],
    ["opens at the second timeout without a write", [timeout, timeout], "read_only_timeouts"],
    ["does not open at the first timeout without a write", [timeout], "closed"],
    ["counts only consecutive timeouts without a write", [timeout, progress, timeout], "closed"],
    ["names a timeout before stagnation", [idle, timeout, timeout], "read_only_timeouts"],
    ["opens when the files go in circles", [progress, { ...idle, cycling: true }], "stagnation_detected"],
    ["opens when the answers shrink", [progress, { ...idle, declined: true }], "output_decline"],
    [
      "counts denials while it warns",
      [idle, idle, { ...idle, progress: "asked", denied: true }, denied],
      "permission_denials",
    ],
  ];
  for (const [name, outcomes, expected] of cases) test(name, () => expect(reasonOf(after(outcomes))).toBe(expected));

  test("is switched off by a threshold of 0, and so is its warning", () => {
    const off = settingsOf({
      CB_NO_PROGRESS_THRESHOLD: 0,
      CB_SAME_ERROR_THRESHOLD: 0,
      CB_PERMISSION_DENIAL_THRESHOLD: 0,
      CB_READ_ONLY_TIMEOUT_THRESHOLD: 0,
    });
    const everything: BreakerInput = { ...idle, errors: "e", denied: true, readOnlyTimeout: true, cycling: true };
    expect(after(Array(20).fill(everything), closedBreaker(), off).state).toBe("closed");
  });

  test("opens at the first failure with a threshold of 1", () => {
    const once = settingsOf({ CB_SAME_ERROR_THRESHOLD: 1, CB_PERMISSION_DENIAL_THRESHOLD: 1 });
    const reasonAfter = (outcome: BreakerInput) => reasonOf(after([outcome], closedBreaker(), once));
    expect([progress, error, denied].map(reasonAfter)).toEqual(["closed", "repeated_error", "permission_denials"]);
    expect(after([denied], closedBreaker(), once)).toMatchObject({
      sentence: "The agent was denied permission in the last iteration.",
    });
  });

  test("reports a cycle of files, and takes it for no progress", () => {
    const evidence = evidenceOf({ fingerprint: "b" });
    const finished: FinishedIteration = {
      outcome: "answered",
      call: "ok",
      error: null,
      analysis: analysisOf(),
      evidence,
      trend: [],
      trees: ["a", "b", "a"],
      settings,
    };
    const outcome = breakerInput(finished);
    expect(outcome).toMatchObject({ progress: "none", cycling: true });
    expect(after([outcome])).toMatchObject({ state: "open", sentence: expect.stringContaining("in circles") });
    expect(breakerInput({ ...finished, trees: ["a"] })).toMatchObject({ progress: "made", cycling: false });
  });

  const RED = { command: "make test", ok: false };
  const GREEN = { command: "make test", ok: true };
  test.each([
    ["a ticked box", { plan_delta: 1 }, [], null],
    ["a ticked box and a green gate", { plan_delta: 1 }, [GREEN], null],
    ["a ticked box and a red gate", { plan_delta: 1 }, [GREEN, RED], "e"],
    ["a commit and a green gate", { commits: ["c"] }, [GREEN], null],
    ["a commit that no gate checked", { commits: ["c"] }, [], "e"],
    ["a commit and a red gate", { commits: ["c"] }, [RED], "e"],
    ["changed files and a green gate", { plan_delta: 0 }, [GREEN], "e"],
  ])("counts no error that was overcome: %s", (_, evidence, gates, errors) => {
    const finished: FinishedIteration = {
      outcome: "answered",
      call: "ok",
      error: null,
      analysis: analysisOf({ errors: ["error: test failed"] }),
      evidence: evidenceOf({ progress: true, ...evidence }),
      trend: [],
      gates,
      settings,
    };
    const found = breakerInput(finished)?.errors;
    expect(found === null ? null : "e").toBe(errors);
  });

  test("lets one iteration decide after the cooldown", () => {
    expect(after([progress], cooled).state).toBe("closed");
    expect(after([question], cooled)).toMatchObject({ state: "half_open", why: "cooldown" });
    expect(reasonOf(after([idle], cooled))).toBe("stagnation_detected");
    expect(reasonOf(after([refused], cooled))).toBe("stagnation_detected");
    expect(after([idle], { ...cooled, no_progress: 0 })).toMatchObject({ state: "open", total_opens: 2 });
    expect(after([refused], { ...cooled, no_progress: 0 })).toMatchObject({
      sentence: "The one iteration after the cooldown made no progress.",
    });
  });

  test("records when and how often it opened, and the last progress", () => {
    const breaker = after([progress, progress, idle, idle, idle]);
    expect(breaker).toMatchObject({ state: "open", since: NOON, total_opens: 1, last_progress: 2, no_progress: 3 });
    expect(breaker).toMatchObject({ sentence: "Nothing changed in 3 iterations in a row." });
  });

  test("does not say that nothing changed where a red gate made the changes worthless", () => {
    const red: BreakerInput = { ...idle, red: true };
    const sentence = "No progress in 3 iterations in a row: with QUALITY_GATE_MODE=circuit-breaker a red gate is none.";
    expect(after([red, red, red])).toMatchObject({ reason: "stagnation_detected", sentence });
    expect(after([idle, idle, red])).toMatchObject({ sentence });
  });
});

describe("the breaker at the start of a run", () => {
  const open = after([idle, idle, idle]);
  const start = (breaker: CircuitBreaker, minutes: number, autoReset = false) =>
    breakerAtStart(breaker, { cooldownMinutes: 30, autoReset }, NOON + minutes * MINUTE);

  test("stays open until the cooldown is over", () => {
    expect(start(open, 29.9).state).toBe("open");
    expect(start(open, 30)).toMatchObject({ state: "half_open", why: "cooldown", no_progress: 3 });
  });
  test("stays open if the clock was set back, even without a cooldown", () => {
    expect(start(open, -500).state).toBe("open");
    expect(breakerAtStart(open, { cooldownMinutes: 0, autoReset: false }, NOON - 1).state).toBe("open");
  });
  test("stays open if its opening time is unknown", () => {
    expect(start({ ...open, since: Number.NaN } as CircuitBreaker, 1000).state).toBe("open");
  });
  test("closes at once with CB_AUTO_RESET and keeps the number of openings", () => {
    expect(start(open, 0, true)).toMatchObject({ state: "closed", no_progress: 0, total_opens: 1 });
  });
  test("keeps a warning", () => expect(start(after([idle, idle]), 60, true).state).toBe("half_open"));
});

test("the breaker makes only legal transitions, and counts each opening once", () => {
  const outcome = fc.record<BreakerInput>({
    progress: fc.constantFrom("made", "none", "asked", "refused"),
    errors: fc.constantFrom(null, "a", "b"),
    denied: fc.boolean(),
    readOnlyTimeout: fc.boolean(),
    declined: fc.boolean(),
  });
  const action = fc.oneof(outcome, fc.constant(null), fc.record({ minutes: fc.integer({ min: -60, max: 60 }) }));
  const legal = new Set(
    "closed>closed closed>warning closed>open warning>closed warning>warning warning>open cooldown>closed cooldown>cooldown cooldown>open open>open open>cooldown".split(
      " ",
    ),
  );
  const nameOf = (breaker: CircuitBreaker) => (breaker.state === "half_open" ? breaker.why : breaker.state);
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let breaker = closedBreaker();
      let now = NOON;
      for (const [index, one] of actions.entries()) {
        const before = breaker;
        if (one !== null && "minutes" in one) {
          now += one.minutes * MINUTE;
          breaker = breakerAtStart(breaker, { cooldownMinutes: 30, autoReset: false }, now);
        } else breaker = stepBreaker(breaker, one, { thresholds: settings, number: index + 1, now });
        expect(legal).toContain(`${nameOf(before)}>${nameOf(breaker)}`);
        const opened = before.state !== "open" && breaker.state === "open";
        expect(breaker.total_opens).toBe(before.total_opens + (opened ? 1 : 0));
        if (one !== null && "progress" in one && one.progress === "made" && before.state !== "open")
          expect(breaker).toMatchObject({ no_progress: 0, last_progress: index + 1 });
      }
    }),
    { seed },
  );
});

describe("the effect of an iteration on the breaker", () => {
  const finished: FinishedIteration = {
    outcome: "answered",
    call: "ok",
    error: null,
    analysis: analysisOf(),
    evidence: evidenceOf({ progress: false }),
    trend: [],
    settings,
  };
  const of = (about: Partial<FinishedIteration>) => breakerInput({ ...finished, ...about });
  const failed = (errorClass: "infrastructure" | "offline" | "request", message = "m") =>
    of({ outcome: "failed", call: "failed", error: { class: errorClass, message } });

  test("is none after a failure of the infrastructure", () => {
    expect(failed("infrastructure")).toBeNull();
    expect(failed("offline")).toBeNull();
  });
  test("identifies a refused request by its message without numbers", () => {
    expect(failed("request", "400 bad field 12")).toMatchObject({ progress: "refused" });
    expect(failed("request", "400 bad field 12")).toEqual(failed("request", "400 bad field 99"));
    expect(failed("request", "a")?.errors).not.toBe(failed("request", "b")?.errors ?? null);
  });
  test("is a read-only timeout only if nothing was written", () => {
    expect(of({ outcome: "failed", call: "idle" })).toMatchObject({ readOnlyTimeout: true, progress: "none" });
    expect(of({ outcome: "timed_out", call: "timed_out", evidence: evidenceOf() })).toMatchObject({
      readOnlyTimeout: false,
      progress: "made",
    });
  });
  test("is progress for a question with progress", () => {
    const asking = analysisOf({ asking_questions: true });
    expect(of({ analysis: asking })?.progress).toBe("asked");
    expect(of({ analysis: asking, evidence: evidenceOf() })?.progress).toBe("made");
  });
  test("is no progress for claims alone", () => {
    const claims = analysisOf({ has_completion_signal: true, exit_signal: true, files_modified: 9 });
    expect(of({ analysis: claims })?.progress).toBe("none");
  });
  test("compares error lines as a set", () => {
    const errors = (...lines: string[]) => of({ analysis: analysisOf({ errors: lines }) })?.errors;
    expect(errors("a", "b")).toBe(errors("b", "a", "a"));
    expect(errors("a", "b")).not.toBe(errors("a"));
  });
  test("includes denials in threshold mode only", () => {
    const analysis = analysisOf({ has_permission_denials: true });
    expect(of({ analysis })?.denied).toBe(false);
    expect(of({ analysis, settings: settingsOf({ PERMISSION_DENIAL_MODE: "threshold" }) })?.denied).toBe(true);
  });
  test("is an error without progress for a red gate if the setting says so", () => {
    const gates = [{ command: "npm test", ok: false }];
    const strict = settingsOf({ QUALITY_GATE_MODE: "circuit-breaker" });
    expect(of({ gates, evidence: evidenceOf() })).toMatchObject({ progress: "made", errors: null });
    const outcome = of({ gates, evidence: evidenceOf(), settings: strict });
    expect(outcome).toMatchObject({ progress: "none", red: true });
    expect(outcome?.errors).not.toBeNull();
  });

  const trend = [900, 1000, 1100].map((output_length) => ({ output_length }));
  const long = [{ output_length: 1_000_000 }, ...trend];
  const declines: [string, Partial<FinishedIteration>, boolean][] = [
    ["true below 30 % of the mean of three", { trend, analysis: analysisOf({ output_length: 299 }) }, true],
    ["false at 30 %", { trend, analysis: analysisOf({ output_length: 300 }) }, false],
    ["false if only an older answer was longer", { trend: long, analysis: analysisOf({ output_length: 400 }) }, false],
    ["false after only two answers", { trend: trend.slice(1), analysis: analysisOf({ output_length: 1 }) }, false],
    ["false with progress", { trend, analysis: analysisOf({ output_length: 1 }), evidence: evidenceOf() }, false],
    [
      "false for a short question",
      { trend, analysis: analysisOf({ output_length: 1, asking_questions: true }) },
      false,
    ],
    [
      "false for a short claim of done",
      { trend, analysis: analysisOf({ output_length: 1, has_completion_signal: true }) },
      false,
    ],
    [
      "false for a timeout",
      { trend, call: "timed_out", outcome: "failed", analysis: analysisOf({ output_length: 1 }) },
      false,
    ],
    [
      "false with a threshold of 0",
      { trend, analysis: analysisOf({ output_length: 1 }), settings: settingsOf({ CB_OUTPUT_DECLINE_THRESHOLD: 0 }) },
      false,
    ],
  ];
  for (const [name, about, declined] of declines)
    test(`judges a declining answer: ${name}`, () => expect(of(about)?.declined).toBe(declined));
});
