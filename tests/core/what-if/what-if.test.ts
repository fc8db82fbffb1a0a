import { describe, expect, test } from "bun:test";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { withChanges } from "../../../src/core/what-if/changed-settings.ts";
import { whatIf } from "../../../src/core/what-if/what-if.ts";
import type { WhatIf } from "../../../src/core/what-if/what-if-types.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { type FakeParts, fakeWorld, finished, type Play } from "../../run/fake-world.ts";
import { MINUTE, NOON, settingsOf } from "../given.ts";

const usage: AgentEvent = {
  type: "usage",
  input_tokens: 90,
  output_tokens: 10,
  cache_read_tokens: 0,
  cache_creation_tokens: 0,
  cost_usd: 0.5,
  duration_ms: null,
  turns: 1,
  model: null,
};
const idle: Play = { says: [usage, finished], ends: { ms: 2 * MINUTE } };
const works: Play = { ...idle, changes: ["a.ts"], commits: ["c1"] };

async function journalOf(parts: FakeParts): Promise<RalphEvent[]> {
  const fake = fakeWorld(parts);
  await fake.run(loop);
  return fake.journal;
}

function asked(journal: readonly RalphEvent[], change: Partial<Settings>): WhatIf {
  const answer = whatIf(journal, [change])?.what_if[0];
  if (answer === undefined) throw new Error("the journal has no beginning");
  return answer;
}

describe("a run that idled until the circuit breaker opened", async () => {
  const journal = await journalOf({ plays: [works, idle, idle, idle], settings: { MAX_ITERATIONS: 9 } });

  test("ends earlier with a lower threshold, and tells what that saves and what it lacks", () => {
    const answer = asked(journal, { CB_NO_PROGRESS_THRESHOLD: 2 });
    expect(answer).toMatchObject({
      result: "ends",
      changed: [{ setting: "CB_NO_PROGRESS_THRESHOLD", from: 3, to: 2 }],
      divergence: { iteration: 4, rule: "stagnation_detected" },
      end: { stop_reason: "stagnation_detected", exit_code: 3, sentence: "Nothing changed in 2 iterations in a row." },
      course: { iterations: 3, calls: 3, cost_usd: 1.5, ms: 6 * MINUTE, commits: 1, changing: 1 },
      rest: { iterations: 1, cost_usd: 0.5, ms: 2 * MINUTE, commits: 0, changing: 0 },
    });
    expect(journal.find(({ seq }) => seq === answer.divergence?.seq)).toMatchObject({
      type: "iteration_started",
      number: 4,
    });
  });

  test("goes on beyond the record with a higher one, and nothing is invented", () => {
    expect(asked(journal, { CB_NO_PROGRESS_THRESHOLD: 5 })).toMatchObject({
      result: "goes_on",
      divergence: { rule: "stagnation_detected" },
      end: null,
      course: { iterations: 4, cost_usd: 2 },
    });
  });

  test("ends otherwise where another rule comes first", () => {
    expect(asked(journal, { MAX_COST_USD: 1 })).toMatchObject({ end: { stop_reason: "max_cost", exit_code: 4 } });
  });

  test("is the same with settings that nothing depends on", () => {
    expect(asked(journal, { ENABLE_NOTIFICATIONS: true, MAX_ITERATIONS: 8 })).toMatchObject({
      result: "same",
      end: { stop_reason: "stagnation_detected" },
    });
  });

  test("is another one from its first call with another agent, and from its start with other checks", () => {
    const agent = asked(journal, { CLAUDE_MODEL: "m" });
    expect(agent).toMatchObject({ result: "diverges", divergence: { rule: "agent", iteration: 1 }, end: null });
    expect(agent.course).toMatchObject({ iterations: 0, calls: 0, cost_usd: null });
    expect(asked(journal, { QUALITY_GATES: ["npm test"] }).divergence?.rule).toBe("checks");
  });

  test("is unknown where its version decided otherwise than this one", () => {
    const older = journal.map((event) =>
      event.type === "iteration_finished" && event.iteration === 3 ? { ...event, breaker: closedBreaker() } : event,
    );
    expect(asked(older, { MAX_ITERATIONS: 4 })).toMatchObject({
      result: "unknown",
      divergence: { rule: "version", iteration: 3 },
    });
    expect(asked(older, { MAX_ITERATIONS: 2 })).toMatchObject({ result: "ends", course: { iterations: 2 } });
  });

  test("goes on where its record breaks off", () => {
    const torn = journal.slice(0, -2);
    expect(asked(torn, {})).toMatchObject({ result: "goes_on", divergence: { rule: "record" }, end: null });
    expect(whatIf(torn, [{}])?.recorded.end).toBeNull();
    expect(whatIf(torn.slice(1), [{}])).toBeNull();
  });
});

describe("the time of a call", async () => {
  const cut: Play = { ends: { outcome: "timed_out", exitCode: null, ms: 15 * MINUTE } };
  const journal = await journalOf({ plays: [works, cut], settings: { MAX_ITERATIONS: 2 } });

  test.each([
    [{ CLAUDE_TIMEOUT_MINUTES: 10 }, "CLAUDE_TIMEOUT_MINUTES would have ended the call earlier."],
    [{ CLAUDE_TIMEOUT_MINUTES: 20 }, "The call was ended by CLAUDE_TIMEOUT_MINUTES, and would have gone on."],
    [{ MAX_TIME: 12 }, "MAX_TIME would have ended the call earlier."],
    [{ IDLE_TIMEOUT_MINUTES: 5 }, "IDLE_TIMEOUT_MINUTES might have ended the call earlier."],
    [{ WRITE_TIMEOUT_MINUTES: 5 }, "WRITE_TIMEOUT_MINUTES might have ended the call earlier."],
  ])("%j: %s", (change, sentence) => {
    expect(asked(journal, change)).toMatchObject({
      result: "diverges",
      divergence: { iteration: 2, rule: "call_time", sentence },
      course: { iterations: 1, calls: 1, ms: 2 * MINUTE },
    });
  });

  test("a clock that no call reached changes nothing", () => {
    expect(asked(journal, { IDLE_TIMEOUT_MINUTES: 100 }).result).toBe("same");
  });
});

describe("what is not in the record", () => {
  test("a question is set aside or not, and from there the run is another one", async () => {
    const asks: Play = {
      ...idle,
      says: [
        usage,
        {
          type: "finished",
          ok: true,
          duration_ms: null,
          cost_usd: null,
          text: "Should I take the first way? Which one do you prefer?",
        },
      ],
    };
    const journal = await journalOf({
      plays: [works, asks],
      plan: "- [ ] one\n- [ ] two",
      settings: { MAX_ITERATIONS: 3 },
    });
    const answer = asked(journal, { ON_QUESTION: "park" });
    expect(answer).toMatchObject({ result: "diverges", divergence: { rule: "question", iteration: 2 } });
    expect(journal.find(({ seq }) => seq === answer.divergence?.seq)?.type).toBe("question_asked");
  });

  test("the cost of a whole day is known only where it was bounded", async () => {
    const plays = [works, works, works];
    const free = await journalOf({ plays, settings: { MAX_ITERATIONS: 3 } });
    expect(asked(free, { MAX_COST_PER_DAY: 1 }).divergence?.rule).toBe("spending_of_the_day");
    const bounded = await journalOf({ plays, settings: { MAX_ITERATIONS: 3, MAX_COST_PER_DAY: 9 } });
    expect(asked(bounded, { MAX_COST_PER_DAY: 1 })).toMatchObject({
      end: { stop_reason: "max_cost_per_day" },
      course: { iterations: 2 },
    });
  });

  test("a breaker that an earlier run left open may cool for longer only as far as it still shows", async () => {
    const open = { ...closedBreaker(), state: "open" as const, reason: "repeated_error" as const, sentence: "Again." };
    const earlier = { breaker: { ...open, since: NOON - 40 * MINUTE } };
    const cooled = await journalOf({ plays: [works], earlier, settings: { MAX_ITERATIONS: 1 } });
    expect(asked(cooled, { CB_COOLDOWN_MINUTES: 60 })).toMatchObject({
      result: "diverges",
      divergence: { rule: "start" },
    });
    const refused = await journalOf({ plays: [works], earlier, settings: { CB_COOLDOWN_MINUTES: 60 } });
    expect(asked(refused, { CB_COOLDOWN_MINUTES: 30 })).toMatchObject({ result: "goes_on", end: null });
    expect(asked(refused, { CB_COOLDOWN_MINUTES: 90 })).toMatchObject({ result: "same" });
  });
});

test("with another policy its defaults follow, and values that somebody gave stay", () => {
  const { changed } = withChanges(settingsOf({ CB_OUTPUT_DECLINE_THRESHOLD: 50 }), { DONE_POLICY: "evidence" });
  expect(changed).toEqual([
    { setting: "CB_NO_PROGRESS_THRESHOLD", from: 3, to: 6, follows: true },
    { setting: "DONE_POLICY", from: "signals", to: "evidence" },
  ]);
});

test("a run that broke off ended with its last event, not with what was said to the next one days later", async () => {
  const whole = await journalOf({ plays: [works, works], settings: { MAX_ITERATIONS: 2 } });
  const broken = whole.slice(
    0,
    whole.findIndex(({ type }) => type === "run_finished"),
  );
  const [first] = whole;
  if (first === undefined) throw new Error("no journal");
  const { run } = first;
  const later = {
    v: 1 as const,
    seq: 99,
    at: new Date(Date.parse(first.at) + 48 * 60 * MINUTE).toISOString(),
    run,
    iteration: 0,
  };
  const found: RalphEvent = {
    ...later,
    type: "run_recovered",
    of_run: run,
    interrupted_iteration: null,
    ended_processes: [],
  };
  const said: RalphEvent = { ...later, type: "said", text: "Use yargs." };
  const change = [{ MAX_COST_USD: 9 }];
  expect(whatIf([...broken, found, said], change)).toEqual(whatIf(broken, change));
});
