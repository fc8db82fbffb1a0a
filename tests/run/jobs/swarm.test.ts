/** What a swarm makes of a worker that ends before it has begun. The whole of it: e2e/fleet. */
import { describe, expect, test } from "bun:test";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { MissingTargetError } from "../../../src/core/land/missing-target.ts";
import { aboutTask } from "../../../src/core/needs/questions.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import type { WorkTask } from "../../../src/core/tasks/task-graph.ts";
import type { Clock, LandYard, SwarmWorker, SwarmYard } from "../../../src/effects/ports.ts";
import { swarm } from "../../../src/run/jobs/swarm.ts";
import type { Run } from "../../../src/run/run.ts";
import { NOON, stateOf } from "../../core/given.ts";
import { fakeWorld } from "../fake-world.ts";

/** A worker that ends when it is asked to. */
const STOPPED = 130;
/** A swarm that never ends is stopped. */
const MOST_WAITS = 2000;
const ELSEWHERE = { name: "elsewhere/w1" };
const taskOf = (id: string, done: boolean): WorkTask => ({
  ...{ id, name: null, text: id, section: null, done, optional: false, after: [] },
});
const claimed = (id: string) => ({
  ...{ state: "claimed" as const, task: id, text: id, worker: ELSEWHERE, until: Number.MAX_SAFE_INTEGER, tries: 0 },
});
const returned = (id: string): TaskClaim => ({
  ...{ state: "returned", task: id, text: id, worker: ELSEWHERE, branch: null, why: "red", message: "Mend it." },
  tries: 1,
});

const claimedBy = (worker: string, id: string) => ({ ...claimed(id), worker: { name: `here/${worker}` } });
const returnedTo = (worker: string, id: string) => ({ ...returned(id), worker: { name: `here/${worker}` } });
const parked = (why: string): TaskClaim => ({
  ...{ state: "parked", task: "one", text: "one", worker: { name: "here/w1" }, branch: null, why, tries: 1 },
});

type Play = {
  tasks: readonly string[];
  workers: readonly string[];
  /** What is done, and who holds what, after so many starts and looks. */
  seen(starts: number, looks: number): { done: readonly string[]; claims: readonly TaskClaim[] };
  /** How the workers end. */
  exits: readonly (number | null)[];
  /** How a worker's run ended, by start; without it, none began that the swarm could see. */
  runs?: readonly StopReason[];
  land?: Partial<LandYard>;
  settings?: Partial<Settings>;
  /** What workers of an earlier swarm had that broke off. */
  left?: State["tasks_at_work"];
  /** The run of w1 under an earlier swarm, that goes on for so many waits; 0: it ends while the claims are first read, -1: it has ended. */
  orphan?: { run: State; waits: number };
  /** Called with each claim that the swarm changes; without it, none may be. */
  onSettle?(next: TaskClaim | null): void;
  onRun?(run: Run): void;
  whileWaiting?(run: Run, waits: number): void;
  /** What a worker's run was told and has in no prompt. Default: nothing. */
  unheard?(worker: string, waits: number): readonly string[];
  /** Whether a worker listens, after so many waits. Default: always. */
  listens?(worker: string, waits: number): boolean;
  env?: Record<string, string>;
  /** The time that the machine ran; by default as the clock says. */
  runningMs?(): number;
  clock?: Clock;
};

/** A clock that is set back by an hour during the first wait, beside the time that passes. */
function setBack(): { clock: Clock; runningMs(): number } {
  let [now, running] = [NOON, 0];
  const sleepUntil = async (until: number) => {
    const ms = until - now;
    now = running === 0 ? until - 3_600_000 : until;
    running += ms;
  };
  return { clock: { now: () => now, sleepUntil }, runningMs: () => running };
}

/** A clock of which each wait takes two minutes. */
function leaps(): Clock {
  let now = NOON;
  const sleepUntil = async () => {
    now += 120_000;
  };
  return { now: () => now, sleepUntil };
}

/** @throws Error if more workers are started than the play has */
async function played({
  tasks,
  workers,
  seen,
  exits,
  runs = [],
  land = {},
  onSettle,
  onRun,
  whileWaiting,
  ...more
}: Play) {
  const { settings = {}, left, orphan, runningMs, clock, listens = () => true, unheard = () => [], env = {} } = more;
  const started: string[] = [];
  const flags: string[][] = [];
  const told: string[] = [];
  const heard: string[] = [];
  let looks = 0;
  let waits = 0;
  const yard: SwarmYard = {
    workers: workers.map((name): SwarmWorker => ({ name, id: `here/${name}`, project: `/${name}` })),
    others: [{ name: "w8", id: "here/w8", project: "/w8" }],
    look: async () => {
      looks += 1;
      const { done, claims } = seen(started.length, looks);
      const graph = { tasks: tasks.map((id) => taskOf(id, done.includes(id))), faults: [] };
      return { graph, claims: new Map(claims.map((claim) => [claim.task, { id: JSON.stringify(claim), claim }])) };
    },
    start: ({ name }, task, share) => {
      flags.push([...share]);
      const exit = exits[started.push(`${name} ${task}`) - 1];
      if (exit === undefined) throw new Error(`One worker too many is started: ${started.join(", ")}`);
      const { promise, resolve } = Promise.withResolvers<number | null>();
      const stop = () => {
        told.push(name);
        resolve(exit);
      };
      if (exit !== STOPPED) resolve(exit);
      return { exited: promise, words: () => null, stop };
    },
    newest: ({ name, id }) => {
      const nth = started.findLastIndex((one) => one.startsWith(`${name} `));
      const reason = runs[nth];
      if (reason === undefined) return name === "w1" || name === "w8" ? (orphan?.run ?? null) : null;
      const task = started[nth]?.split(" ")[1] ?? "";
      const finished = { reason, exit_code: STOP_REASONS[reason].exit, sentence: STOP_REASONS[reason].text, at: "" };
      const tasks_at_work = [{ task, text: task, worker: id, branch: "", since: "" }];
      const said = unheard(name, waits).map((text) => ({ at: "", text, used_in: null }));
      return stateOf({ run: `run ${nth}`, tasks_at_work, finished, said });
    },
    runs: (name) =>
      [orphan?.run].flatMap((run) => (run !== undefined && (name === "w1" || name === "w8") ? [run] : [])),
    isBusy: ({ name }) =>
      name === "w1" && orphan !== undefined && (orphan.waits === 0 ? looks === 0 : waits < orphan.waits),
    say: async ({ name }, text) => {
      if (listens(name, waits)) heard.push(`${name}: ${text}`);
      return listens(name, waits);
    },
    leave: async () => null,
    leftInside: async () => [],
    settle: async (_task, _seen, next) => {
      if (onSettle === undefined) throw new Error("No claim is changed.");
      onSettle(next);
      return true;
    },
  };
  const fake = fakeWorld({
    settings,
    ...(left === undefined ? {} : { earlier: { started_by: "swarm", tasks_at_work: left } }),
    world: { env, ...(clock === undefined ? {} : { clock }) },
    ...(runningMs === undefined ? {} : { runningMs }),
    whileWaiting: (run) => {
      waits += 1;
      if (waits > MOST_WAITS) run.stops.request("user");
      whileWaiting?.(run, waits);
    },
  });
  const yardOfLand = { target: "main", tip: async () => "tip", close: async () => {}, ...land } as Partial<LandYard>;
  const end = await fake.run((run) => {
    onRun?.(run);
    return swarm(run, { yard, land: yardOfLand as LandYard, untested: true, staggerMs: 0, lookMs: 100 });
  });
  const released = fake.journal.flatMap((event) =>
    event.type === "task_released" ? [`${event.worker} ${event.task}: ${event.outcome}, ${event.why}`] : [],
  );
  const notes = fake.journal.flatMap((event) => (event.type === "note" ? [event.text] : []));
  const { journal } = fake;
  return { started, flags, told, heard, released, notes, journal, reason: end.stop_reason, sentence: end.sentence };
}

test("who is too late for a task that another swarm has goes on with the next one", async () => {
  const { started, released, reason } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (starts) => ({ done: starts < 2 ? [] : ["one", "two"], claims: starts === 1 ? [claimed("one")] : [] }),
    exits: [1, 0],
  });
  expect(started).toEqual(["w1 one", "w1 two"]);
  expect(released[0]).toBe("w1 one: given_back, somebody else has it");
  expect(reason).toBe("plan_complete");
});

test("a worker that fails before it begins with another one's returned work is put aside", async () => {
  const { started, released, reason, sentence } = await played({
    tasks: ["one"],
    workers: ["w1", "w2"],
    seen: () => ({ done: [], claims: [returned("one")] }),
    exits: [1, 1],
  });
  expect(started).toEqual(["w1 one", "w2 one"]);
  expect(released).toEqual([
    "w1 one: given_back, it ended with exit code 1",
    "w2 one: given_back, it ended with exit code 1",
  ]);
  expect([reason, sentence]).toEqual(["agent_unusable", "Worker w1 ended with exit code 1 before it began."]);
});

test("a swarm whose rest others have waits for them, says so once, and is done with them", async () => {
  const { journal, reason } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (_, looks) => ({ done: looks < 5 ? ["two"] : ["one", "two"], claims: looks < 5 ? [claimed("one")] : [] }),
    exits: [],
  });
  const notes = journal.filter(({ type }) => type === "note");
  // A note that is only information stands on no screen.
  expect(notes).toMatchObject([{ level: "warn", text: 'Waiting: elsewhere/w1 works on "one".' }]);
  expect(notes).toHaveLength(1);
  expect(reason).toBe("plan_complete");
});

test("a swarm takes what a dead worker elsewhere had, once its lease ended", async () => {
  const { started, reason } = await played({
    settings: { CLAIM_LEASE_MINUTES: 1 },
    tasks: ["one"],
    workers: ["w1"],
    seen: (starts, looks) => ({
      done: starts === 0 ? [] : ["one"],
      claims: starts === 0 ? [{ ...claimed("one"), until: looks < 5 ? Number.MAX_SAFE_INTEGER : 0 }] : [],
    }),
    exits: [0],
  });
  expect(started).toEqual(["w1 one"]);
  expect(reason).toBe("plan_complete");
});

test("a swarm leaves the task to a worker elsewhere that renews its claim, though by its own clock the lease is over", async () => {
  const { started, reason } = await played({
    settings: { CLAIM_LEASE_MINUTES: 1 },
    tasks: ["one"],
    workers: ["w1"],
    seen: (_, looks) => ({
      done: looks > 18 ? ["one"] : [],
      claims: looks > 18 ? [] : [{ ...claimed("one"), until: NOON - 3_600_000 + Math.floor(looks / 2) }],
    }),
    exits: [],
  });
  expect([started, reason]).toEqual([[], "plan_complete"]);
});

test("what no pass can land is tried once, and then ends the swarm with the reason", async () => {
  let passes = 0;
  const handedIn: TaskClaim = {
    ...{ state: "handed_in", task: "one", text: "one", worker: ELSEWHERE, branch: "ralph/one", commit: "c", tries: 0 },
  };
  const { reason, sentence } = await played({
    tasks: ["one"],
    workers: ["w1"],
    seen: () => ({ done: [], claims: [handedIn] }),
    exits: [],
    land: {
      candidates: async () => {
        passes += 1;
        return { branches: [], without: [{ name: "ralph/one", why: "there is no such branch" }] };
      },
    },
  });
  expect(passes).toBe(1);
  expect([reason, sentence]).toEqual(["not_all_landed", "One task is not landed: ralph/one: there is no such branch."]);
});

test("a target that somebody mended is tried again", async () => {
  let passes = 0;
  let target = "red";
  const handedIn: TaskClaim = {
    ...{ state: "handed_in", task: "one", text: "one", worker: ELSEWHERE, branch: "ralph/one", commit: "c", tries: 0 },
  };
  const { reason } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: () => ({ done: passes < 2 ? [] : ["one", "two"], claims: passes < 2 ? [handedIn, claimed("two")] : [] }),
    exits: [],
    land: {
      tip: async () => target,
      // After the pass, which began on the red one.
      close: async () => {
        target = "mended";
      },
      candidates: async () => {
        passes += 1;
        return { branches: [], without: passes === 1 ? [{ name: "ralph/one", why: "red" }] : [] };
      },
    },
  });
  expect([passes, reason]).toEqual([2, "plan_complete"]);
});

test("an answer is used once: the next question about the same task is asked", async () => {
  let claim: TaskClaim = parked("Which port?");
  const { started, journal, reason } = await played({
    tasks: ["one"],
    workers: ["w1"],
    seen: (starts) => {
      if (starts === 1) claim = parked("Which host?");
      return { done: [], claims: [claim] };
    },
    exits: [6],
    onSettle: (next) => {
      if (next !== null) claim = next;
    },
    onRun: (run) => {
      run.append({ type: "question_asked", kind: "question", task: "one", text: "Which port?", parked: true });
      run.append({ type: "question_answered", number: 1, text: "8080" });
    },
  });
  expect(started).toEqual(["w1 one"]);
  const asked = journal.flatMap((event) => (event.type === "question_asked" ? [event.text] : []));
  expect(asked).toEqual(["Which port?", "Which host?"]);
  expect(reason).toBe("waits_for_answer");
});

test("a run that is done and cannot be handed in is no success", async () => {
  let claims = [claimedBy("w1", "one")];
  const { started, reason, sentence } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (starts) => ({ done: [], claims: starts === 0 ? [] : claims }),
    exits: [7],
    runs: ["project_complete"],
    onSettle: () => {
      claims = [];
    },
  });
  expect(started).toEqual(["w1 one"]);
  const told = "Worker w1 ended with exit code 7 and did not hand in what it did.";
  expect([reason, sentence]).toEqual(["agent_unusable", told]);
});

test("what lies with a task costs no worker its place", async () => {
  const { started, reason } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (starts) => ({
      done: starts < 3 ? [] : ["one", "two"],
      claims:
        starts === 1 ? [returnedTo("w1", "one")] : starts === 2 ? [{ ...parked("It stagnates."), task: "one" }] : [],
    }),
    exits: [3, 3, 0],
    runs: ["stagnation_detected", "stagnation_detected", "project_complete"],
  });
  expect(started).toEqual(["w1 one", "w1 one", "w1 two"]);
  expect(reason).toBe("plan_complete");
});

test("workers that were asked to stop go on once the stop is withdrawn, and hear the next one", async () => {
  const { started, told, reason } = await played({
    tasks: ["one"],
    workers: ["w1"],
    seen: () => ({ done: [], claims: [] }),
    exits: [STOPPED, STOPPED],
    runs: ["interrupted", "interrupted"],
    whileWaiting: (run, waits) => {
      if (waits === 2 || waits === 10) run.append({ type: "stop_requested", how: "after_iteration", by: "user" });
      if (waits === 3) run.append({ type: "stop_withdrawn" });
    },
  });
  expect([started, told]).toEqual([
    ["w1 one", "w1 one"],
    ["w1", "w1"],
  ]);
  expect(reason).toBe("stopped_by_user");
});

test.each([
  ["SIGTERM", "terminated", "Terminated."],
  ["SIGINT", "interrupted", "Interrupted at the keyboard."],
  ["user", "stopped_by_user", "Stopped on request."],
] as const)("a swarm that %s stopped says so", async (by, reason, sentence) => {
  const end = await played({
    tasks: ["one"],
    workers: ["w1"],
    seen: () => ({ done: [], claims: [] }),
    exits: [STOPPED],
    runs: ["interrupted"],
    whileWaiting: (run, waits) => {
      if (waits === 2) run.append({ type: "stop_requested", how: "now", by });
    },
  });
  expect(end).toMatchObject({ reason, sentence });
});

describe("what a person says", () => {
  const say = (text: string) => ({ command: "say", text }) as const;
  const passedOn = (journal: readonly RalphEvent[]) =>
    journal.flatMap((event) => (event.type === "said_passed_on" ? [`${event.text} > ${event.workers.join(" ")}`] : []));
  const two = {
    tasks: ["one", "two"],
    workers: ["w1", "w2"],
    seen: () => ({ done: [], claims: [] }),
    exits: [STOPPED, STOPPED],
    runs: ["interrupted", "interrupted"] as const,
  };

  test("is heard once by each worker at work", async () => {
    const { heard, journal } = await played({
      ...two,
      whileWaiting: (run, waits) => {
        if (waits === 2) run.control(say("Use yargs"));
        if (waits === 10) run.stops.request("user");
      },
    });
    expect(heard).toEqual(["w1: Use yargs", "w2: Use yargs"]);
    expect(passedOn(journal)).toEqual(["Use yargs > w1 w2"]);
  });

  test("waits for a worker that begins, and for one that does not listen yet", async () => {
    const { heard, journal } = await played({
      ...two,
      listens: (worker, waits) => worker === "w1" || waits >= 5,
      onRun: (run) => run.control(say("Use yargs")),
      whileWaiting: (run, waits) => {
        if (waits === 10) run.stops.request("user");
      },
    });
    expect(heard).toEqual(["w1: Use yargs", "w2: Use yargs"]);
    expect(passedOn(journal)).toEqual(["Use yargs > w1 w2"]);
  });

  test("is kept for the next run where no worker heard it", async () => {
    const { heard, journal } = await played({
      ...two,
      listens: () => false,
      whileWaiting: (run, waits) => {
        if (waits === 2) run.control(say("Use yargs"));
        if (waits === 10) run.stops.request("user");
      },
    });
    expect([heard, passedOn(journal)]).toEqual([[], []]);
  });

  test("about one task is heard by the worker that has it", async () => {
    const { heard } = await played({
      ...two,
      whileWaiting: (run, waits) => {
        if (waits === 2) run.control(say(`8080 ${aboutTask("two")}`));
        if (waits === 10) run.stops.request("user");
      },
    });
    expect(heard).toEqual(["w2: 8080 (task: two)"]);
  });

  test("is heard by a worker that a killed swarm left", async () => {
    const work = { task: "one", text: "one", worker: "here/w1", branch: "b", since: "" };
    const { heard } = await played({
      orphan: { run: stateOf({ run: "run of before", tasks_at_work: [work] }), waits: 5 },
      tasks: ["one"],
      workers: ["w1"],
      seen: (_, looks) => ({ done: looks > 1 ? ["one"] : [], claims: looks > 1 ? [] : [claimedBy("w1", "one")] }),
      exits: [],
      onRun: (run) => run.control(say("Use yargs")),
    });
    expect(heard).toEqual(["w1: Use yargs"]);
  });

  test("in the last prompt of all who were told waits again, and that is said", async () => {
    const { heard, journal, notes } = await played({
      ...two,
      unheard: (_, waits) => (waits > 5 ? ["Use yargs"] : []),
      whileWaiting: (run, waits) => {
        if (waits === 2) run.control(say("Use yargs"));
        if (waits === 10) run.stops.request("user");
      },
    });
    expect(heard).toEqual(["w1: Use yargs", "w2: Use yargs"]);
    expect(journal.flatMap((event) => (event.type === "said" ? [event.text] : []))).toEqual(["Use yargs", "Use yargs"]);
    expect(notes).toEqual(["w2 ended before it heard what you said. It waits for the next worker: Use yargs"]);
  });

  test("and one of those who were told heard is over", async () => {
    const { journal, notes } = await played({
      ...two,
      unheard: (worker, waits) => (worker === "w1" && waits > 5 ? ["Use yargs"] : []),
      whileWaiting: (run, waits) => {
        if (waits === 2) run.control(say("Use yargs"));
        if (waits === 10) run.stops.request("user");
      },
    });
    expect([journal.filter(({ type }) => type === "said").length, notes]).toEqual([1, []]);
  });

  test("that a worker has from an earlier run is not said to it again", async () => {
    const { heard, journal } = await played({
      ...two,
      unheard: (worker) => (worker === "w1" ? ["Use yargs"] : []),
      onRun: (run) => run.control(say("Use yargs")),
      whileWaiting: (run, waits) => {
        if (waits === 10) run.stops.request("user");
      },
    });
    expect([heard, passedOn(journal)]).toEqual([["w2: Use yargs"], ["Use yargs > w1 w2"]]);
  });

  test("is passed on in full, with secrets that no record keeps", async () => {
    const { heard, journal } = await played({
      ...two,
      env: { API_TOKEN: "s3cr3t-0123456789" },
      whileWaiting: (run, waits) => {
        if (waits === 2) run.control(say("Log in with s3cr3t-0123456789"));
        if (waits === 10) run.stops.request("user");
      },
    });
    expect(heard[0]).toBe("w1: Log in with s3cr3t-0123456789");
    expect(passedOn(journal)).toEqual(["Log in with [masked: API_TOKEN] > w1 w2"]);
  });
});

test("what a worker that a killed swarm left may still use is given to no other, and counts when it ends", async () => {
  const bounds = { MAX_COST_USD: 10, MAX_CALLS_PER_HOUR: 100 };
  const work = { task: "one", text: "one", worker: "here/w1", branch: "b", since: "" };
  const run = stateOf({
    ...{ run: "run of before", tasks_at_work: [work], iterations: 3, usage: { ...noUsage(), cost_usd: 3.5 } },
    settings: { MAX_COST_USD: 4 },
  });
  const { flags, started, journal } = await played({
    ...{ settings: bounds, orphan: { run, waits: 5 } },
    tasks: ["one", "two"],
    workers: ["w1", "w2"],
    seen: (starts, looks) => ({
      done: looks > 2 ? ["one", "two"] : starts > 0 ? ["two"] : [],
      claims: looks > 2 ? [] : [claimedBy("w1", "one")],
    }),
    exits: [0],
  });
  expect([started, flags]).toEqual([["w2 two"], [["--calls=50", "--max-cost=6.00"]]]);
  const released = journal.filter(({ type }) => type === "task_released");
  expect(released).toContainEqual(
    expect.objectContaining({ worker: "w1", spent: expect.objectContaining({ iterations: 3 }) }),
  );
});

describe("what a worker spent that ended before the next swarm began", () => {
  const HOUR_AGO = new Date(NOON - 3_600_000).toISOString();
  const leftWith = (worker: string) => [{ task: "one", text: "one", worker, branch: "", since: HOUR_AGO }];
  const ended = (minutesLater: number) => {
    const work = { task: "one", text: "one", worker: "here/w1", branch: "b", since: "" };
    const started_at = new Date(Date.parse(HOUR_AGO) + minutesLater * 60_000).toISOString();
    const usage = { ...noUsage(), cost_usd: 3.5 };
    return { run: stateOf({ run: "of before", started_at, tasks_at_work: [work], iterations: 3, usage }), waits: -1 };
  };

  test.each([
    ["counts", "w1", 1, 3.5],
    ["counts if this swarm is smaller", "w8", 1, 3.5],
    ["is counted already if its run began before it got the task", "w1", -1, null],
    ["is unknown once its worktree is gone", "w9", 1, null],
  ])("%s", async (_, worker, minutesLater, usd) => {
    const { started, flags, journal } = await played({
      ...{ settings: { MAX_COST_USD: 10 }, left: leftWith(worker), orphan: ended(minutesLater) },
      tasks: ["one"],
      workers: ["w1"],
      seen: (starts) => ({ done: starts > 0 ? ["one"] : [], claims: starts > 0 ? [] : [claimedBy("w1", "one")] }),
      exits: [0],
      runs: ["project_complete"],
    });
    expect(started).toEqual(["w1 one"]);
    expect(flags[0]).toContain(`--max-cost=${(10 - (usd ?? 0)).toFixed(2)}`);
    const released = journal.flatMap((event) =>
      event.type === "task_released" ? [[event.worker, event.outcome, event.spent?.usage.cost_usd ?? null]] : [],
    );
    expect(released).toEqual([
      [worker, "given_back", usd],
      ["w1", "handed_in", null],
    ]);
  });
});

test("a worker that begins late gets what is left of the swarm's time", async () => {
  const isHeld = (looks: number) => looks < 5;
  const { flags } = await played({
    settings: { MAX_TIME: 4, MAX_CALLS_PER_HOUR: 100 },
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (starts, looks) => ({
      done: starts === 0 ? [] : starts === 1 ? ["one"] : ["one", "two"],
      claims: isHeld(looks) && starts > 0 ? [claimed("two")] : [],
    }),
    exits: [0, 0],
  });
  // It looks again every 10 s while it waits for others.
  expect(flags).toEqual([
    ["--calls=100", "--max-time=240s"],
    ["--calls=100", "--max-time=210s"],
  ]);
});

test("a clock that is set back gives a worker no time", async () => {
  let ranMs = 0;
  const { flags } = await played({
    settings: { MAX_TIME: 4, MAX_CALLS_PER_HOUR: 100 },
    tasks: ["one"],
    workers: ["w1"],
    seen: (starts) => ({ done: starts === 0 ? [] : ["one"], claims: [] }),
    exits: [0],
    // The machine runs a minute, of which the wall clock shows nothing.
    onRun: () => {
      ranMs = 60_000;
    },
    runningMs: () => NOON + ranMs,
  });
  expect(flags).toEqual([["--calls=100", "--max-time=180s"]]);
});

test.each<[string, Pick<Play, "seen" | "exits">, string[]]>([
  [
    "begins the next worker",
    { seen: (starts) => ({ done: ["one", "two"].slice(0, starts), claims: [] }), exits: [0, 0] },
    ["w1 one", "w1 two"],
  ],
  [
    "sees what workers elsewhere did",
    {
      seen: (_, looks) => ({ done: looks > 2 ? ["one", "two"] : ["two"], claims: looks > 2 ? [] : [claimed("one")] }),
      exits: [],
    },
    [],
  ],
])("a swarm whose clock is set back by an hour %s all the same", async (_, play, expected) => {
  const { clock, runningMs } = setBack();
  const { started, reason } = await played({ ...play, tasks: ["one", "two"], workers: ["w1"], clock, runningMs });
  expect([started, reason]).toEqual([expected, "plan_complete"]);
  expect(runningMs()).toBeLessThan(60_000);
});

test("a worker of a killed swarm that ends while the claims are read is not begun again with what it has handed in", async () => {
  const work = { task: "one", text: "one", worker: "here/w1", branch: "b", since: "" };
  const { started, reason } = await played({
    orphan: { run: stateOf({ run: "run of before", tasks_at_work: [work] }), waits: 0 },
    tasks: ["one"],
    workers: ["w1"],
    seen: (_, looks) => ({ done: looks > 1 ? ["one"] : [], claims: looks > 1 ? [] : [claimedBy("w1", "one")] }),
    exits: [],
  });
  expect([started, reason]).toEqual([[], "plan_complete"]);
});

const handedIn = (id: string): TaskClaim => ({
  ...{
    state: "handed_in",
    task: id,
    text: id,
    worker: { name: "here/w1" },
    branch: `ralph/${id}`,
    commit: "c",
    tries: 0,
  },
});

test("a swarm that is stopped says what is handed in and not landed", async () => {
  const { reason, sentence } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (starts) => ({ done: [], claims: starts === 0 ? [] : [handedIn("one")] }),
    exits: [STOPPED],
    whileWaiting: (run) => run.stops.request("user"),
  });
  expect([reason, sentence]).toEqual(["stopped_by_user", "Stopped on request. Handed in, and not landed yet: one."]);
});

test("a swarm whose time is up lands no more, and says what is handed in", async () => {
  const { reason, sentence } = await played({
    ...{ tasks: ["one", "two"], workers: ["w1"], settings: { MAX_TIME: 1 }, exits: [STOPPED] },
    seen: (starts) => ({ done: [], claims: starts === 0 ? [] : [handedIn("one")] }),
    clock: leaps(),
  });
  expect(reason).toBe("max_time");
  expect(sentence).toEndWith(" Handed in, and not landed yet: one.");
});

test.each([
  ["", false],
  [" whose target is gone", true],
])("a swarm%s waits for the end of its workers after a stop at once, and does not spin", async (_, isGone) => {
  const waits: boolean[] = [];
  let [stop, ms] = [() => {}, 0];
  const clock: Clock = {
    now: () => NOON,
    sleepUntil: async (_until, { aborted }) => {
      waits.push(aborted);
      stop();
    },
  };
  const tip = async () => {
    if (isGone && waits.length > 0) throw new MissingTargetError("environment", "The branch main is not there.");
    return "tip";
  };
  const { reason } = await played({
    ...{ tasks: ["one"], workers: ["w1"], exits: [STOPPED], runs: ["interrupted"], clock },
    seen: () => ({ done: [], claims: [] }),
    land: { tip, candidates: async () => ({ branches: [], without: [] }) },
    // Each look is a new one.
    runningMs: () => (ms += 20_000),
    onRun: (run) => {
      stop = () => run.stops.request("user", "now");
    },
  });
  expect(reason).toBe(isGone ? "not_all_landed" : "stopped_by_user");
  expect(waits.length).toBeGreaterThan(1);
  expect(waits).not.toContain(true);
});
