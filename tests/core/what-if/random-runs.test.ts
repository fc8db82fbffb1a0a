import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { withChanges } from "../../../src/core/what-if/changed-settings.ts";
import { whatIf } from "../../../src/core/what-if/what-if.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import type { Run } from "../../../src/run/run.ts";
import { fakeWorld, type Play } from "../../run/fake-world.ts";
import { seed } from "../../seed.ts";
import { MINUTE, settingsOf } from "../given.ts";
import { expectItself, expectTrue } from "./hold-against.ts";

/** A call of the agent, and what the user does meanwhile. */
type Turn = {
  does: "work" | "box" | "nothing" | "commit";
  says:
    | "progress"
    | "claim"
    | "tests"
    | "blocked"
    | "question"
    | "denied"
    | "failed"
    | "limit"
    | "offline"
    | "cut"
    | "lost";
  cost: number | null;
  minutes: number;
  gateExit: number;
  user: "nothing" | "say" | "pause" | "stop later" | "stop";
};

type Given = {
  turns: readonly Turn[];
  own: Partial<Settings>;
  change: Partial<Settings>;
  hasPlan: boolean;
  wait: "ride" | "pause";
};

const settings: fc.Arbitrary<Partial<Settings>> = fc.record(
  {
    MAX_ITERATIONS: fc.constantFrom(null, 1, 2, 4, 8),
    MAX_COST_USD: fc.constantFrom(null, 0.5, 1, 2),
    MAX_COST_PER_TASK: fc.constantFrom(null, 0.5, 1),
    MAX_TOKENS: fc.constantFrom(null, 3_000, 9_000),
    MAX_TIME: fc.constantFrom(null, 5, 30, 90, 400),
    STOP_AT: fc.constantFrom(null, "12:20", "15:00"),
    MAX_CALLS_PER_HOUR: fc.constantFrom(2, 5, 100),
    MAX_TOKENS_PER_HOUR: fc.constantFrom(0, 3_000),
    ESTIMATE_COST: fc.boolean(),
    ON_USAGE_LIMIT: fc.constantFrom("wait", "stop"),
    ON_QUESTION: fc.constantFrom("continue", "park"),
    PERMISSION_DENIAL_MODE: fc.constantFrom("continue", "halt", "threshold"),
    CB_NO_PROGRESS_THRESHOLD: fc.constantFrom(0, 1, 2, 3, 6),
    CB_SAME_ERROR_THRESHOLD: fc.constantFrom(0, 1, 3),
    CB_OUTPUT_DECLINE_THRESHOLD: fc.constantFrom(0, 30, 70),
    CB_PERMISSION_DENIAL_THRESHOLD: fc.constantFrom(0, 1, 2),
    CB_READ_ONLY_TIMEOUT_THRESHOLD: fc.constantFrom(0, 1, 2),
    SAME_DENIAL_THRESHOLD: fc.constantFrom(0, 2, 5),
    NO_HEADWAY_THRESHOLD: fc.constantFrom(0, 2, 8),
    DONE_POLICY: fc.constantFrom("signals", "evidence"),
    QUALITY_GATE_MODE: fc.constantFrom("warn", "block", "circuit-breaker"),
    QUALITY_GATE_ON_COMPLETION_ONLY: fc.boolean(),
    TEST_COMMAND: fc.constantFrom(null, "npm test"),
    MAX_CONSECUTIVE_TEST_LOOPS: fc.constantFrom(1, 3),
    MAX_CONSECUTIVE_DONE_SIGNALS: fc.constantFrom(1, 2, 4),
    PROVEN_COMPLETE: fc.boolean(),
    TEST_PERCENTAGE_THRESHOLD: fc.constantFrom(10, 30),
    SESSION_CONTINUITY: fc.boolean(),
    SESSION_EXPIRY_HOURS: fc.constantFrom(1, 24),
    SESSION_RENEW: fc.constantFrom<Settings["SESSION_RENEW"]>("auto", "never", "always", 2),
    REVIEW_MODE: fc.constantFrom("off", "enhanced", "ultimate"),
    REVIEW_ON_DONE: fc.constantFrom(0, 1),
    PROJECT_NAME: fc.constantFrom("shop", "my-project"),
    CLAUDE_MODEL: fc.constantFrom(null, "m"),
  },
  { requiredKeys: [] },
);

const turn: fc.Arbitrary<Turn> = fc.record({
  does: fc.constantFrom("work", "work", "box", "nothing", "nothing", "commit"),
  says: fc.constantFrom(
    "progress",
    "progress",
    "progress",
    "claim",
    "tests",
    "blocked",
    "question",
    "denied",
    "failed",
    "limit",
    "offline",
    "cut",
    "lost",
  ),
  cost: fc.constantFrom(null, 0.25, 0.4),
  minutes: fc.constantFrom(0.2, 3, 20),
  gateExit: fc.constantFrom(0, 0, 1),
  user: fc.constantFrom(
    "nothing",
    "nothing",
    "nothing",
    "nothing",
    "nothing",
    "nothing",
    "say",
    "pause",
    "stop later",
    "stop",
  ),
});

/** A few settings each, so that the others matter. */
const few = fc
  .tuple(settings, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 4 }))
  .map(([all, from, most]) =>
    Object.fromEntries([...Object.entries(all).slice(from), ...Object.entries(all)].slice(0, most)),
  );

const given: fc.Arbitrary<Given> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 14 }),
  own: few,
  change: few,
  hasPlan: fc.boolean(),
  wait: fc.constantFrom("ride", "ride", "pause"),
});

const BOXES = 5;

async function journalOf({ turns, hasPlan, wait }: Given, own: Partial<Settings>): Promise<RalphEvent[]> {
  let run: Run | null = null;
  let ticked = 0;
  const plan = () =>
    Array.from({ length: BOXES }, (_, index) => `- [${index < ticked ? "x" : " "}] Task ${index + 1}`).join("\n");
  const plays = turns.map((one, index): Play => {
    const ticks = turns.slice(0, index + 1).filter(({ does }) => does === "box").length;
    return {
      ...effectsOf(one, index),
      says: eventsOf(one, index),
      ends: endOf(one),
      gates: [{ exit: one.gateExit }, { exit: one.gateExit }],
      meanwhile: () => {
        ticked = Math.min(BOXES, ticks);
        if (run !== null) steer(run, one.user);
      },
    };
  });
  let waits = 0;
  const fake = fakeWorld({
    plays,
    settings: own,
    driver: { supportsReadOnly: true },
    files: { plan: () => (hasPlan ? plan() : null) },
    whileWaiting: (waiting) => {
      waits += 1;
      if (waiting.state().paused) waiting.control({ command: "resume" });
      else if (wait === "pause" && waits % 3 === 1) waiting.control({ command: "pause" });
      // A run of nothing but waits would never end.
      if (waits > 60) waiting.control({ command: "stop", how: "now" });
    },
  });
  await fake.run((its, agent) => {
    run = its;
    return loop(its, agent);
  });
  return fake.journal;
}

function steer(run: Run, user: Turn["user"]): void {
  if (user === "say") run.control({ command: "say", text: "Mind the tests." });
  if (user === "pause") run.control({ command: "pause" });
  if (user === "stop later") run.control({ command: "stop", how: "after_iteration" });
  if (user === "stop") run.control({ command: "stop", how: "now" });
}

function effectsOf({ does }: Turn, index: number): Pick<Play, "changes" | "commits"> {
  if (does === "nothing") return {};
  return does === "commit" ? { changes: [`src/${index}.ts`], commits: [`c${index}`] } : { changes: ["src/main.ts"] };
}

function endOf({ says, minutes }: Turn): NonNullable<Play["ends"]> {
  const ms = minutes * MINUTE;
  if (says === "cut") return { outcome: "timed_out", exitCode: null, signal: "SIGTERM", ms };
  return says === "failed" || says === "offline" || says === "limit" || says === "lost" ? { exitCode: 1, ms } : { ms };
}

function eventsOf({ says, cost }: Turn, index: number): AgentEvent[] {
  const usage: AgentEvent = {
    type: "usage",
    input_tokens: 900,
    output_tokens: 100,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    cost_usd: cost,
    duration_ms: null,
    turns: 3,
    model: "claude-sonnet-4-5",
  };
  const begin: AgentEvent[] = [{ type: "session_id", session_id: index < 7 ? "first" : "second" }, usage];
  if (says === "cut") return begin;
  // The few seconds after a stated time depend on the number of the event, and notes of other settings change that.
  if (says === "limit")
    return [...begin, { type: "rate_limited", kind: "usage_limit", message: "limit reached", resets_at: null }];
  const errors = { failed: "infrastructure", offline: "offline", lost: "session" } as const;
  if (says === "failed" || says === "offline" || says === "lost")
    return [...begin, { type: "error", message: `It ${says}.`, class: errors[says] }];
  const denied: AgentEvent[] =
    says === "denied" ? [{ type: "denied", tool: "Bash", command: "terraform apply", tool_use_id: null }] : [];
  const text = `${says === "question" ? "Which one should I take? Should I go on?" : "Did a part."}\n${"word ".repeat(index * 7)}\n${block(says)}`;
  return [...begin, ...denied, { type: "finished", ok: true, text, duration_ms: null, cost_usd: null }];
}

function block(says: Turn["says"]): string {
  const status = says === "claim" ? "COMPLETE" : says === "blocked" ? "BLOCKED" : "IN_PROGRESS";
  return [
    "---RALPH_STATUS---",
    `STATUS: ${status}`,
    `EXIT_SIGNAL: ${says === "claim"}`,
    `WORK_TYPE: ${says === "tests" ? "TESTING" : "IMPLEMENTATION"}`,
    "---END_RALPH_STATUS---",
  ].join("\n");
}

describe(`random runs with limits, failures, waits and a user who steers (seed ${seed})`, () => {
  test("with its own settings a run is itself, and with others what really happens", async () => {
    const results: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(given, async (about) => {
        const recorded = await journalOf(about, about.own);
        const report = whatIf(recorded, [{}, about.change]);
        const answer = report?.what_if[1];
        if (report === null || answer === undefined) throw new Error("a run has a beginning");
        expectItself(report, recorded);
        results[answer.result] = (results[answer.result] ?? 0) + 1;
        const { settings: other } = withChanges(settingsOf(about.own), about.change);
        expectTrue(answer, recorded, await journalOf(about, other));
      }),
      { seed, numRuns: 120 },
    );
    expect(Object.keys(results).sort()).toEqual(["diverges", "ends", "goes_on", "same"]);
  });
});
