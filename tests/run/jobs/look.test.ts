/** Looks at finished work: side calls of another agent, before "done" is believed. */
import { describe, expect, test } from "bun:test";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import { initialState, type State } from "../../../src/core/journal/state.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import type { Run } from "../../../src/run/run.ts";
import { fold, stateOf } from "../../core/given.ts";
import {
  bodiesOf,
  type Fake,
  type FakeParts,
  fakeWorld,
  type GatePlay,
  type Play,
  plainDriver,
} from "../fake-world.ts";

const says = (text: string): AgentEvent => ({ type: "finished", ok: true, text, duration_ms: null, cost_usd: null });
const DONE = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
const claims: Play = { says: [says(DONE)], changes: ["add.js"] };
const claimsIdly: Play = { says: [says(DONE)] };
const works: Play = { says: [says("More work.")], changes: ["add.js"] };

const RED: GatePlay = { exit: 1 };
const looksAt = (lines: string, gates: readonly GatePlay[] = []): Play => ({
  says: [{ type: "session_id", session_id: "look" }, says(`---RALPH_GAP---\n${lines}\n---END_RALPH_GAP---`)],
  gates,
});
const findsNone = looksAt("NONE");
const names = (command: string, gates: readonly GatePlay[] = []) =>
  looksAt(`COMMAND: ${command}\nWHY: It adds one.`, gates);
const findsGap = names("test -f x", [RED, RED]);
const crashes: Play = {
  says: [{ type: "error", class: "auth", message: "Error: not logged in" }],
  ends: { outcome: "failed", exitCode: 1 },
};

async function played(plays: readonly Play[], parts: FakeParts = {}): Promise<Fake> {
  const fake = fakeWorld({
    ...parts,
    plays,
    driver: { supportsReadOnly: true, ...parts.driver },
    settings: { REVIEW_ON_DONE: 1, DONE_POLICY: "evidence", MAX_ITERATIONS: 12, ...parts.settings },
  });
  await fake.run(loop);
  return fake;
}

const calls = (journal: readonly RalphEvent[]) =>
  journal.flatMap((event) =>
    event.type === "agent_started" ? [`${event.purpose} ${event.iteration}-${event.call}`] : [],
  );

function endOf({ journal }: Fake): EventOf<"run_finished"> {
  const end = journal.find((event): event is EventOf<"run_finished"> => event.type === "run_finished");
  if (end === undefined) throw new Error("the run has no end");
  return end;
}

/** The prompts that a run sends, in order; null for the command of a gate. */
function withPrompts(): { prompts: (string | undefined)[]; parts: FakeParts } {
  const prompts: (string | undefined)[] = [];
  const driver: FakeParts["driver"] = {
    buildCommand: ({ prompt, readOnly, resume, context }) => {
      prompts.push(`${readOnly ? "look" : "work"} ${resume ?? "anew"} ${context === null ? "" : "context"}\n${prompt}`);
      return { argv: ["demo"], stdin: prompt };
    },
  };
  return { prompts, parts: { driver } };
}

describe("done is believed", () => {
  test("after a look that finds no gap", async () => {
    const fake = await played([claims, claims, findsNone]);
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2"]);
    expect(endOf(fake)).toMatchObject({
      stop_reason: "project_complete",
      exit_code: 0,
      iterations: 2,
      calls: 3,
      sentence: "The agent said that everything is done, and confirmed it. Demo looked at it and found no gap.",
    });
  });

  test("only when the gap that a look named is closed, and another look finds none", async () => {
    const mended: Play = { ...claims, gates: [{ exit: 0 }] };
    const fake = await played([claims, claims, findsGap, mended, findsNone]);
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2", "main 3-1", "look 3-2"]);
    expect(bodiesOf(fake.journal, "gap_named")).toEqual([
      { type: "gap_named", command: "test -f x", why: "It adds one.", exit_code: 1, output: "" },
    ]);
    expect(bodiesOf(fake.journal, "look_finished")).toMatchObject([
      { result: "gap", gap: { command: "test -f x" }, sentence: "Demo named a gap: It adds one." },
      { result: "none", gap: null },
    ]);
    expect(endOf(fake).sentence).toBe(
      "The agent said that everything is done, and confirmed it. Demo looked at it and found no gap. 1 gap that was named before: mended.",
    );
  });

  test("after as many looks without a gap as are wanted", async () => {
    const fake = await played([claims, claims, findsNone, findsNone, findsNone], { settings: { REVIEW_ON_DONE: 3 } });
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2", "look 2-3", "look 2-4"]);
  });

  test("after as many in a row, which a gap between them breaks", async () => {
    const mended: Play = { ...claims, gates: [{}] };
    const plays = [claims, claims, findsNone, findsGap, mended, findsNone, findsNone];
    const fake = await played(plays, { settings: { REVIEW_ON_DONE: 2 } });
    expect(calls(fake.journal).filter((call) => call.startsWith("look"))).toEqual([
      "look 2-2",
      "look 2-3",
      "look 3-2",
      "look 3-3",
    ]);
    expect(endOf(fake).stop_reason).toBe("project_complete");
  });

  describe("where nobody claims it", () => {
    const idle: Play = { says: [says("Nothing is left to do.")] };
    const quiet = [works, idle, idle, idle, idle, idle, idle];
    const settings = { TEST_COMMAND: "true", CB_NO_PROGRESS_THRESHOLD: 6, CB_OUTPUT_DECLINE_THRESHOLD: 0 };

    test("because everything proves it, with no pause for an idle agent before the look", async () => {
      const fake = await played([...quiet, findsNone], { settings });
      expect(endOf(fake).stop_reason).toBe("proven_complete");
      const types = fake.journal.map(({ type }) => type);
      const look = types.indexOf("look_started");
      const before = types.slice(types.lastIndexOf("iteration_finished"), look + 1);
      expect(before).toEqual(["iteration_finished", "look_started"]);
    });

    test("only after the agent got to work on a gap, though idle answers had opened the breaker", async () => {
      const fake = await played([...quiet, findsGap, claims, findsNone], { settings });
      expect(calls(fake.journal).slice(7)).toEqual(["look 7-2", "main 8-1", "look 8-2"]);
      expect(endOf(fake).stop_reason).toBe("project_complete");
    });
  });

  test("after a complete plan too, which nobody claims", async () => {
    const plan = "- [x] Add two numbers\n";
    const fake = await played([{ ...works, plan }, findsGap, works, findsNone], { plan: "- [ ] Add two numbers\n" });
    expect(calls(fake.journal)).toEqual(["main 1-1", "look 1-2", "main 2-1", "look 2-2"]);
    expect(endOf(fake).stop_reason).toBe("plan_complete");
  });
});

describe("a gap", () => {
  test("is a gate of its own until it is closed, whatever else the answer says", async () => {
    const red: Play = { ...claims, gates: [RED, RED] };
    const fake = await played([claims, claims, findsGap, works, red, { ...claims, gates: [{}] }, findsNone]);
    expect(calls(fake.journal)).toEqual([
      "main 1-1",
      "main 2-1",
      "look 2-2",
      "main 3-1",
      "main 4-1",
      "main 5-1",
      "look 5-2",
    ]);
    expect(bodiesOf(fake.journal, "gate_finished")).toMatchObject([
      { command: "test -f x", exit_code: 1 },
      { command: "test -f x", exit_code: 0 },
    ]);
  });

  test("goes to the agent in its next prompts, with its command and reason, until it is closed", async () => {
    const { prompts, parts } = withPrompts();
    await played([claims, claims, findsGap, works, { ...claims, gates: [{}] }, findsNone], parts);
    const [, , look = "", third = "", fourth = ""] = prompts;
    expect(third).toContain("found that something is missing:\n- It adds one.\n  `test -f x` failed with exit code 1.");
    expect(fourth).toContain("`test -f x` failed with exit code 1.");
    expect(look).not.toContain("test -f x");
  });

  test("keeps a run from done under the policy signals as well", async () => {
    const fake = await played(
      [claims, claims, findsGap, { ...claims, gates: [RED, RED] }, { ...claims, gates: [{}] }],
      {
        settings: { DONE_POLICY: "signals" },
      },
    );
    expect(calls(fake.journal).filter((call) => call.startsWith("main"))).toEqual([
      "main 1-1",
      "main 2-1",
      "main 3-1",
      "main 4-1",
    ]);
  });

  test("that stays open keeps a run from done after a call that fails", async () => {
    const fails: Play = {
      says: [{ type: "error", class: "infrastructure", message: "Error: overloaded" }],
      ends: { outcome: "failed", exitCode: 1 },
    };
    const fake = await played([claims, claims, findsGap, fails, { ...claims, gates: [{}] }, findsNone]);
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2", "main 3-1", "main 4-1", "look 4-2"]);
  });

  test("that the agent disputes three times in a row ends the run for a person to look", async () => {
    const denies: Play = { ...claimsIdly, gates: [RED, RED] };
    const fake = await played([claims, claims, findsGap, denies, denies, denies]);
    expect(endOf(fake).stop_reason).toBe("completion_disputed");
    expect(endOf(fake).sentence).toContain("the command of a look `test -f x` fails");
  });

  test("that is named again and again does not hold the run for ever", async () => {
    const mended: Play = { ...claims, gates: Array.from({ length: 9 }, () => ({})) };
    const rounds = ["a", "b", "c", "d", "e"].flatMap((name) => [names(`test -f ${name}`, [RED, RED]), mended]);
    const fake = await played([claims, claims, ...rounds]);
    expect(calls(fake.journal).filter((call) => call.startsWith("look"))).toHaveLength(5);
    expect(endOf(fake)).toMatchObject({
      stop_reason: "project_complete",
      sentence:
        "The agent said that everything is done, and confirmed it. Not confirmed by a look: all 5 looks of the run are used up, and what they named is mended.",
    });
  });
});

describe("no gap is a command", () => {
  test("that is green", async () => {
    const fake = await played([claims, claims, names("test -f x", [{}])]);
    expect(bodiesOf(fake.journal, "look_finished")).toMatchObject([
      { result: "none", gap: null, sentence: "Demo named a gap, but its command is green: `test -f x`." },
    ]);
    expect(endOf(fake).stop_reason).toBe("project_complete");
  });

  test("that is green when it runs again on the same tree", async () => {
    const fake = await played([claims, claims, names("test -f x", [RED, {}])]);
    expect(bodiesOf(fake.journal, "gap_checked")).toMatchObject([{ exit_code: 1 }, { exit_code: 0 }]);
    expect(bodiesOf(fake.journal, "look_finished")).toMatchObject([
      {
        result: "none",
        sentence: "Demo named a gap, but its command `test -f x` was green when it ran again on the same tree.",
      },
    ]);
  });

  test.each<[string, string, GatePlay[], string]>([
    ["that the shell cannot start", "test -f x", [{ exit: 127 }], "the shell could not start it (exit code 127)"],
    ["that runs out of time", "test -f x", [{ outcome: "timed_out" }], "it ran out of time"],
    ["that deletes", "rm -r src", [], "it deletes or moves files"],
    ["whose program is not there", "nowhere --check", [], "there is no program nowhere here"],
  ])("%s, which is told, and another look is asked", async (_name, command, gates, why) => {
    const fake = await played([claims, claims, names(command, gates), findsNone]);
    const [first, second] = bodiesOf(fake.journal, "look_finished") as { result: string; sentence: string }[];
    expect(first).toMatchObject({ result: "failed" });
    expect(first?.sentence).toContain(why);
    expect(second).toMatchObject({ result: "none" });
    expect(bodiesOf(fake.journal, "gap_named")).toEqual([]);
  });
});

describe("a look that comes to nothing", () => {
  test("is made once more; then the run is done, and says that nobody looked", async () => {
    const fake = await played([claims, claims, crashes, crashes]);
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2", "look 2-3"]);
    expect(endOf(fake)).toMatchObject({
      stop_reason: "project_complete",
      sentence:
        "The agent said that everything is done, and confirmed it. Not confirmed by a look: The look of Demo failed: Error: not logged in.",
    });
  });

  test("is made once more after each that came to something", async () => {
    const mended: Play = { ...claims, gates: [{}] };
    const fake = await played([claims, claims, crashes, findsGap, mended, crashes, findsNone]);
    expect(bodiesOf(fake.journal, "look_finished")).toMatchObject([
      { result: "failed" },
      { result: "gap" },
      { result: "failed" },
      { result: "none" },
    ]);
  });

  test("by its answer is made once more as well", async () => {
    const fake = await played([claims, claims, { says: [says("All is well.")] }, findsNone]);
    expect(bodiesOf(fake.journal, "look_finished")).toMatchObject([
      { result: "failed", sentence: "The answer of Demo says neither what is missing nor that nothing is." },
      { result: "none" },
    ]);
  });

  describe("by a limit", () => {
    const limited: Play = {
      says: [
        { type: "rate_limited", kind: "usage_limit", message: "limit", resets_at: null },
        { type: "error", class: "limit", message: "limit" },
      ],
      ends: { outcome: "failed", exitCode: 1 },
    };
    const other = { ...plainDriver, name: "other", displayName: "Other", supportsReadOnly: true };
    /** Why a run waited, and for how many minutes. */
    const waits = ({ journal }: Fake) =>
      journal.flatMap((event) =>
        event.type === "wait_started"
          ? [`${event.why} ${Math.round((Date.parse(event.until) - Date.parse(event.at)) / 60_000)}`]
          : [],
      );
    const looks = ({ journal }: Fake) =>
      journal.flatMap((event) => (event.type === "look_finished" ? [event.result] : []));

    test("of the run's own agent waits for its end as the work does, longer each time, and counts as no call", async () => {
      const fake = await played([claims, claims, limited, limited, limited, findsNone]);
      expect(waits(fake)).toEqual(["usage_limit 1", "usage_limit 2", "usage_limit 4"]);
      expect(looks(fake)).toEqual(["limited", "limited", "limited", "none"]);
      expect(endOf(fake)).toMatchObject({
        stop_reason: "project_complete",
        calls: 3,
        sentence: "The agent said that everything is done, and confirmed it. Demo looked at it and found no gap.",
      });
    });

    test("uses up none of the run's looks, and neither of the two that may come to nothing", async () => {
      const fake = await played([claims, claims, ...Array<Play>(6).fill(limited), crashes, limited, crashes]);
      expect(waits(fake)).toHaveLength(7);
      expect(endOf(fake).sentence).toContain("Not confirmed by a look: The look of Demo failed");
    });

    test("that is over lengthens no later wait", async () => {
      const fake = await played([claims, claims, limited, limited, findsNone, limited, findsNone], {
        settings: { REVIEW_ON_DONE: 2 },
      });
      expect(waits(fake)).toEqual(["usage_limit 1", "usage_limit 2", "usage_limit 1"]);
    });

    test("ends no run as limited: one that is not to wait is done, and says that nobody looked", async () => {
      const fake = await played([claims, claims, limited], { settings: { ON_USAGE_LIMIT: "stop" } });
      expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2"]);
      expect(waits(fake)).toEqual([]);
      expect(endOf(fake)).toMatchObject({
        stop_reason: "project_complete",
        exit_code: 0,
        sentence:
          "The agent said that everything is done, and confirmed it. Not confirmed by a look: The look of Demo met its provider's limit.",
      });
    });

    test("waits no longer than the run may take", async () => {
      const fake = await played([claims, claims, limited, limited, limited], { settings: { MAX_TIME: 2 } });
      expect(endOf(fake).sentence).toContain("Not confirmed by a look: a bound of the run allows no further call.");
    });

    test("of another agent holds nothing up: the run's own looks in its place", async () => {
      const fake = fakeWorld({
        plays: [claims, claims, limited, findsNone],
        driver: { supportsReadOnly: true },
        settings: { REVIEW_ON_DONE: 1 },
      });
      await fake.run((run: Run, agent) => loop(run, agent, [{ ...agent, driver: other }, agent]));
      expect(waits(fake)).toEqual([]);
      expect(bodiesOf(fake.journal, "look_started")).toMatchObject([{ driver: "other" }, { driver: "demo" }]);
      expect(looks(fake)).toEqual(["failed", "none"]);
      expect(endOf(fake).sentence).toContain("Demo looked at it and found no gap.");
    });
  });

  test("is made by the next agent that may look", async () => {
    const driver = { ...plainDriver, name: "other", displayName: "Other", supportsReadOnly: true };
    const fake = fakeWorld({
      plays: [claims, claims, crashes, findsNone],
      driver: { supportsReadOnly: true },
      settings: { REVIEW_ON_DONE: 1 },
    });
    await fake.run((run: Run, agent) => loop(run, agent, [{ ...agent, driver }, agent]));
    expect(bodiesOf(fake.journal, "look_started")).toMatchObject([
      { driver: "other", display_name: "Other", number: 2, call: 2 },
      { driver: "demo", display_name: "Demo", number: 2, call: 3 },
    ]);
  });
});

describe("a look is not made", () => {
  const without = async (plays: readonly Play[], parts: FakeParts = {}) => {
    const fake = await played(plays, parts);
    expect(calls(fake.journal).filter((call) => call.startsWith("look"))).toEqual([]);
    return fake;
  };

  test("where it is off, as in a project that does not know it", async () => {
    const end = endOf(await without([claims, claims], { settings: { REVIEW_ON_DONE: 0 } }));
    expect(end.sentence).toBe("The agent said that everything is done, and confirmed it.");
  });

  test("at work that this run did not change", async () => {
    const { journal } = await without([claimsIdly, claimsIdly]);
    expect(journal.at(-1)).toMatchObject({ stop_reason: "project_complete" });
  });

  test("at the end of a run that is not done", async () => {
    await without([works, works], { settings: { MAX_ITERATIONS: 2 } });
  });

  test("by an agent that cannot be kept from writing", async () => {
    await without([claims, claims], { driver: { supportsReadOnly: false } });
  });

  test("beyond a bound of money or time, and the run says so", async () => {
    const slow: Play = { ...claims, ends: { ms: 120_000 } };
    const end = endOf(await without([claims, slow], { settings: { MAX_TIME: 1 } }));
    expect(end).toMatchObject({
      stop_reason: "project_complete",
      sentence:
        "The agent said that everything is done, and confirmed it. Not confirmed by a look: a bound of the run allows no further call.",
    });
  });
});

describe("the call of a look", () => {
  test("is made after the last allowed iteration too, and tells what is missing", async () => {
    const fake = await played([claims, claims, findsGap], { settings: { MAX_ITERATIONS: 2 } });
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2"]);
    expect(endOf(fake)).toMatchObject({ stop_reason: "max_iterations", exit_code: 4 });
  });

  test("waits for the next hour of the call budget", async () => {
    const fake = await played([claims, claims, findsNone], { settings: { MAX_CALLS_PER_HOUR: 2 } });
    expect(bodiesOf(fake.journal, "wait_started")).toMatchObject([{ why: "call_budget" }]);
    expect(calls(fake.journal)).toEqual(["main 1-1", "main 2-1", "look 2-2"]);
  });

  test("is reserved before the agent starts, and its cost counts", async () => {
    const usage: AgentEvent = {
      type: "usage",
      input_tokens: 10,
      output_tokens: 5,
      cache_read_tokens: null,
      cache_creation_tokens: null,
      cost_usd: 0.5,
      duration_ms: null,
      turns: 1,
      model: null,
    };
    const { journal } = await played([claims, claims, { ...findsNone, says: [usage, ...(findsNone.says ?? [])] }]);
    const types = journal.map(({ type }) => type);
    expect(types.indexOf("look_started")).toBeLessThan(types.lastIndexOf("agent_started"));
    expect(journal.at(-1)).toMatchObject({ type: "run_finished", cost_usd: 0.5, calls: 3 });
  });

  test("begins a conversation of its own, only reads, and hears nothing of the work but what was asked", async () => {
    const { prompts, parts } = withPrompts();
    const session: AgentEvent = { type: "session_id", session_id: "work" };
    await played([{ ...claims, says: [session, says(`SECRET WORDS\n${DONE}`)] }, claims, findsNone], parts);
    const [, second = "", look = ""] = prompts;
    expect(second.startsWith("work work context")).toBe(true);
    expect(look.startsWith("look anew \n# A look at finished work")).toBe(true);
    expect(look).toContain("- `.ralph/PROMPT.md`");
    expect(look).not.toContain("SECRET WORDS");
  });

  test("leaves the run's session alone", async () => {
    const session: AgentEvent = { type: "session_id", session_id: "work" };
    const { journal } = await played([
      { ...claims, says: [session, says(DONE)] },
      claims,
      findsGap,
      { ...claims, gates: [{}] },
      findsNone,
    ]);
    expect(bodiesOf(journal, "iteration_started").at(-1)).toMatchObject({ number: 3, resume: "work" });
  });

  test("is followed by a new snapshot, so what its check wrote is not progress", async () => {
    const writes = names("test -f x", [RED, { exit: 1, changes: ["coverage.txt"] }]);
    const { journal } = await played([claims, claims, writes, { says: [says(DONE)], gates: [{}] }, findsNone]);
    const third = journal.findLast(
      (event): event is EventOf<"iteration_finished"> => event.type === "iteration_finished",
    );
    expect(third?.evidence).toMatchObject({ progress: false, files_changed: [] });
  });

  test("uses the model and effort of the run only where the same agent looks", async () => {
    const asked: string[] = [];
    const driver = {
      ...plainDriver,
      supportsReadOnly: true,
      buildCommand: ({ model, effort }: { model: string | null; effort: string | null }) => {
        asked.push(`${model} ${effort}`);
        return { argv: ["demo"], stdin: "" };
      },
    };
    const settings = { REVIEW_ON_DONE: 1, CLAUDE_MODEL: "big", CLAUDE_EFFORT: "high" };
    const same = fakeWorld({ plays: [claims, claims, findsNone], driver, settings });
    await same.run(loop);
    const other = fakeWorld({
      plays: [claims, claims, findsNone],
      driver,
      settings: { ...settings, REVIEW_MODEL: "small" },
    });
    await other.run((run: Run, agent) => loop(run, agent, [{ ...agent, driver: { ...driver, name: "other" } }]));
    expect(asked).toEqual(["big high", "big high", "big high", "big high", "big high", "small null"]);
  });

  test("that a stop ends, ends the run as the stop wants", async () => {
    let current: Run | null = null;
    const stopped: Play = { meanwhile: () => current?.stops.request("SIGINT", "now") };
    const fake = fakeWorld({
      plays: [claims, claims, stopped],
      driver: { supportsReadOnly: true },
      settings: { REVIEW_ON_DONE: 1 },
    });
    await fake.run((run: Run, agent) => {
      current = run;
      return loop(run, agent);
    });
    expect(bodiesOf(fake.journal, "look_finished")).toMatchObject([{ result: "failed" }]);
    expect(endOf(fake).stop_reason).toBe("interrupted");
  });
});

describe("the next run of a project", () => {
  /** The state after a run, as far as its events tell. */
  const stateAfter = ({ journal }: Fake) => journal.reduce(reduce, initialState("/project"));
  const plan = "- [x] Add two numbers\n";
  const cutOff = () => played([claims, claims, findsGap], { settings: { MAX_ITERATIONS: 2 } });

  test("checks a gap that the last one left open before it believes anything", async () => {
    const earlier = stateAfter(await cutOff());
    const open = await played([{ ...works, gates: [{}] }, findsNone], { earlier, plan, gates: [RED, RED] });
    expect(calls(open.journal)).toEqual(["main 1-1", "look 1-2"]);
    expect(bodiesOf(open.journal, "gate_finished")).toMatchObject([
      { command: "test -f x", exit_code: 1 },
      { command: "test -f x", exit_code: 0 },
    ]);
    const closed = await played([findsNone], { earlier, plan, gates: [{}] });
    expect(calls(closed.journal)).toEqual(["look 0-1"]);
    expect(endOf(closed)).toMatchObject({ stop_reason: "plan_complete", iterations: 0, calls: 1 });
  });

  test("looks at work that the last one left unseen, broken off or not", async () => {
    const bounded = stateAfter(await played([works], { settings: { MAX_ITERATIONS: 1 } }));
    expect(calls((await played([findsNone], { earlier: bounded, plan })).journal)).toEqual(["look 0-1"]);
    const broken = [
      { type: "iteration_started", number: 1, call: 1, resume: null, plan: null, head: null, snapshot: null },
      { type: "iteration_interrupted", number: 1, why: "ralph ended before the iteration did" },
    ] as const;
    expect(calls((await played([findsNone], { earlier: fold(stateOf(), broken), plan })).journal)).toEqual([
      "look 0-1",
    ]);
  });

  test.each<[string, FakeParts, Partial<State>]>([
    ["after the work was done", {}, { finished: { reason: "plan_complete", exit_code: 0, sentence: "", at: "" } }],
    ["without looks", { settings: { REVIEW_ON_DONE: 0 } }, {}],
    ["for a task", { spec: { startedBy: "task" } }, {}],
    ["after a task", {}, { started_by: "task" }],
  ])("takes nothing over %s", async (_name, parts, end) => {
    const earlier = { ...stateAfter(await cutOff()), ...end };
    const { journal } = await played([], { ...parts, earlier, plan });
    expect(calls(journal)).toEqual([]);
    expect(journal.at(-1)).toMatchObject({ type: "run_finished", stop_reason: "plan_complete" });
  });

  test("after an import, which is no end of the work, takes over what was left", async () => {
    const finished = { reason: "import_complete", exit_code: 0, sentence: "", at: "" } as const;
    const earlier = { ...stateAfter(await cutOff()), started_by: "import", finished };
    expect(calls((await played([findsNone], { earlier, plan, gates: [{}] })).journal)).toEqual(["look 0-1"]);
  });
});

test("a journal with looks folds to the state that the run had, and one without to none", async () => {
  const { journal } = await played([claims, claims, findsGap, { ...claims, gates: [{}] }, findsNone]);
  const folded = (events: readonly RalphEvent[]): State => events.reduce(reduce, initialState("/project"));
  expect(folded(journal).looks).toMatchObject({ made: 2, clean: 1, failed: 0, gaps: [{ command: "test -f x" }] });
  const [started, ...rest] = journal;
  if (started?.type !== "run_started") throw new Error("no run_started");
  const { looks: _, ...old } = started.state;
  expect(folded([{ ...started, state: old as State }, ...rest]).looks).toEqual(folded(journal).looks);
});
