/** The life of a run, whatever its job does: lock, recovery, journal, crash, end. */
import { describe, expect, test } from "bun:test";
import type { ControlCommand } from "../../src/core/control-command.ts";
import { RalphError } from "../../src/core/errors.ts";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import type { EventStep } from "../../src/core/journal/event-step.ts";
import { runMarker } from "../../src/core/journal/process-identity.ts";
import { initialState, type State } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import type { ControlListener } from "../../src/effects/ports.ts";
import { reset } from "../../src/run/jobs/reset.ts";
import type { Run } from "../../src/run/run.ts";
import { fold, NOON } from "../core/given.ts";
import { bodiesOf, type FakeParts, fakeWorld } from "./fake-world.ts";

const at = new Date(NOON).toISOString();
const ENDED = { reason: "stopped_by_user", exit_code: 0, sentence: "", at } as const;
const done = async (run: Run) => run.finish("stopped_by_user", "Done.");

async function lived(parts: FakeParts = {}, job: (run: Run) => Promise<unknown> = done) {
  const fake = fakeWorld(parts);
  const result = await fake.run(job);
  return { ...fake, result, types: fake.journal.map(({ type }) => type) };
}

describe("a run", () => {
  test("takes the lock, opens the journal, listens, runs its job and closes all in reverse order", async () => {
    const { log, types, result } = await lived();
    const [begin, end] = [
      ["lock 0001", "open 0001", "listen 0001"],
      ["deaf", "free room", "close 0001", "unlock"],
    ];
    expect(log).toEqual([...begin, "free room", ...end]);
    expect(types).toEqual(["run_started", "run_finished"]);
    expect(result).toMatchObject({ stop_reason: "stopped_by_user", exit_code: 0, sentence: "Done.", calls: 0 });
  });

  test("gives back the room that it held before its end is written: a kill after that leaves none, and the end fits", async () => {
    const freed: [string, boolean][] = [];
    const onWrite: FakeParts["onWrite"] = (events) => {
      for (const { type } of events) freed.push([type, fake.log.includes("free room")]);
    };
    const fake = fakeWorld({ onWrite });
    await fake.run(done);
    expect(freed).toEqual([
      ["run_started", false],
      ["run_finished", true],
    ]);
  });

  test("whose closing fails too is closed all the same, and told by its own error", async () => {
    const listenForControl = () => () => {
      throw new Error("the socket cannot be closed");
    };
    const fake = fakeWorld({ world: { listenForControl } });
    const broken = fake.run(async () => {
      throw new Error("the work broke");
    });
    await expect(broken).rejects.toThrow("the work broke");
    expect(fake.log.slice(-3)).toEqual(["free room", "close 0001", "unlock"]);
    expect(bodiesOf(fake.journal, "run_finished")).toMatchObject([{ sentence: "the work broke" }]);
  });

  test("starts with the plan's counts, so a finished plan needs no call", async () => {
    const { journal } = await lived({ plan: "- [x] one\n- [ ] two" });
    expect(bodiesOf(journal, "run_started")).toMatchObject([
      { driver: "demo", started_by: "cli", pid: 4711, project: "/project", state: { plan: { total: 2, checked: 1 } } },
    ]);
  });

  test("ends at the lock if another ralph holds it", async () => {
    const locked = new RalphError("environment", "Another ralph is running in this project.");
    const takeLock = () => {
      throw locked;
    };
    const { run, journal, log } = fakeWorld({ world: { takeLock } });
    await expect(run(done)).rejects.toBe(locked);
    expect([journal, log]).toEqual([[], []]);
  });

  test("ends its agent and fails once another ralph holds its lock", async () => {
    const taken = new RalphError("environment", "Another ralph is running in this project.");
    let onLost = (_: Error) => {};
    const takeLock = (_: string, lost: (error: Error) => void) => {
      onLost = lost;
      return () => {};
    };
    const { run } = fakeWorld({ world: { takeLock } });
    const job = async ({ stops }: Run) => {
      expect(stops.killSignal.aborted).toBe(false);
      onLost(taken);
      expect(stops.waitSignal.aborted).toBe(false);
      throw stops.killSignal.reason;
    };
    await expect(run(job)).rejects.toBe(taken);
  });

  test("releases the lock if the journal cannot be opened", async () => {
    const refused = new RalphError("environment", "The folder cannot be written.");
    const openRun = () => {
      throw refused;
    };
    const { run, log } = fakeWorld({ world: { openRun } });
    await expect(run(done)).rejects.toBe(refused);
    expect(log).toEqual(["lock 0001", "unlock"]);
  });

  test("does not listen for commands if its job takes none", async () => {
    expect((await lived({ spec: { takesCommands: false } })).log).not.toContain("listen 0001");
  });

  test("goes on with a warning if it cannot listen for commands", async () => {
    const listenForControl = () => {
      throw new Error("no such folder");
    };
    const { journal } = await lived({ world: { listenForControl } });
    expect(bodiesOf(journal, "note", "run_finished")).toMatchObject([
      { level: "warn", text: "This run can't be steered from other terminals: no such folder" },
      { type: "run_finished" },
    ]);
  });

  test("ends its agent and fails when its journal cannot take what comes from another terminal", async () => {
    const full = new RalphError("environment", "The disk is full.");
    const commands: ControlCommand[] = [
      { command: "say", text: "x" },
      { command: "pause" },
      { command: "stop", how: "now" },
    ];
    for (const command of commands) {
      let listener: Omit<ControlListener, "project"> | null = null;
      let isFull = false;
      const { run } = fakeWorld({
        world: {
          listenForControl: (given) => {
            listener = given;
            return () => {};
          },
        },
        onWrite: () => {
          if (isFull) throw full;
        },
      });
      const answers: unknown[] = [];
      const job = run(async ({ stops }) => {
        isFull = true;
        answers.push(listener?.onCommand(command));
        throw stops.killSignal.reason;
      });
      await expect(job).rejects.toBe(full);
      // A stop that cannot be recorded is obeyed all the same.
      expect({ command, answers }).toEqual({ command, answers: [command.command === "stop"] });
    }
  });

  test("ends in the same way when it cannot note that a command was refused", async () => {
    const full = new RalphError("environment", "The disk is full.");
    let listener: Omit<ControlListener, "project"> | null = null;
    let isFull = false;
    const { run } = fakeWorld({
      world: {
        listenForControl: (given) => {
          listener = given;
          return () => {};
        },
      },
      onWrite: () => {
        if (isFull) throw full;
      },
    });
    const job = run(async ({ stops }) => {
      isFull = true;
      listener?.onWarning("Refused.");
      throw stops.killSignal.reason;
    });
    await expect(job).rejects.toBe(full);
  });

  test("sends every event to its subscribers, and later events to later subscribers", async () => {
    const seen: string[] = [];
    const hear = (who: string) => ({
      name: who,
      onEvents: (steps: readonly EventStep[]) => void seen.push(...steps.map(({ event }) => `${who} ${event.type}`)),
    });
    await lived({ subscribers: [hear("early")] }, async (run) => {
      run.subscribe(hear("late"));
      return run.finish("stopped_by_user", "");
    });
    expect(seen).toEqual(["early run_started", "early run_finished", "late run_finished"]);
  });
});

describe("a job that throws", () => {
  test("ends the run in the journal as an internal error and rethrows", async () => {
    const crash = new TypeError("x is no function");
    const { run, journal, log } = fakeWorld();
    const job = run(async ({ append }) => {
      append({ type: "wait_started", until: at, why: "paused", message: "" });
      throw crash;
    });
    await expect(job).rejects.toBe(crash);
    expect(bodiesOf(journal, "wait_ended", "run_finished")).toMatchObject([
      { type: "wait_ended" },
      { stop_reason: "internal_error", exit_code: 1, sentence: "x is no function" },
    ]);
    expect(log.slice(-4)).toEqual(["deaf", "free room", "close 0001", "unlock"]);
  });

  test("after the run's end leaves that end as it is", async () => {
    const { run, journal } = fakeWorld();
    const job = run(async ({ finish }) => {
      finish("project_complete", "");
      throw new Error("too late");
    });
    await expect(job).rejects.toThrow("too late");
    expect(bodiesOf(journal, "run_finished")).toMatchObject([{ stop_reason: "project_complete" }]);
  });
});

const agent = { pid: 7, group: 7, start_time: "1", marker: "m" };
const started: EventBody = {
  type: "iteration_started",
  number: 3,
  call: 1,
  resume: null,
  plan: null,
  head: null,
  snapshot: null,
};

/** The state of a run that was killed after these events. */
function killed(...bodies: EventBody[]): Partial<State> {
  return fold({ ...initialState("/project"), run: "0001", started_at: at, iterations: 2 }, bodies);
}

describe("a run after a killed one", () => {
  test("ends the orphaned agent, closes the old journal and records that in its own", async () => {
    const earlier = killed(started, { type: "agent_started", call: 1, purpose: "main", argv: [], ...agent });
    const { log, journal } = await lived({ earlier });
    expect(log.slice(0, 5)).toEqual(["lock 0002", "end m", "open 0001", "close 0001", "open 0002"]);
    expect(journal.map(({ run, type }) => `${run} ${type}`)).toEqual([
      "0001 agent_finished",
      "0001 iteration_interrupted",
      "0002 run_started",
      "0002 run_recovered",
      "0002 run_finished",
    ]);
    expect(bodiesOf(journal, "run_recovered")).toMatchObject([
      { of_run: "0001", interrupted_iteration: 3, ended_processes: [99] },
    ]);
  });

  test("closes the old run's wait", async () => {
    const earlier = killed(started, { type: "wait_started", until: at, why: "usage_limit", message: "" });
    expect(bodiesOf((await lived({ earlier })).journal, "wait_ended")).toMatchObject([{ why: "usage_limit" }]);
  });

  test("looks for processes by the old run's marker if none was recorded", async () => {
    const earlier = killed(started);
    const marker = runMarker({ run: "0001", project: "/project", started_at: at });
    expect((await lived({ earlier })).log).toContain(`end ${marker}`);
  });

  test("closes the old journal at the time of its last event", async () => {
    const earlier = { ...killed(started), updated_at: "2026-03-04T03:00:00.000Z" };
    const { journal } = await lived({ earlier });
    expect(journal.find(({ type }) => type === "iteration_interrupted")?.at).toBe("2026-03-04T03:00:00.000Z");
  });
});

describe("a run after a finished one", () => {
  test("starts its own journal, with budget and session carried over", async () => {
    const session = { session_id: "s", driver: "demo", created_at: at, last_used: at };
    const { journal, log } = await lived({ earlier: { finished: ENDED, session, iterations: 7 } });
    expect(log.slice(0, 2)).toEqual(["lock 0002", "open 0002"]);
    expect(bodiesOf(journal, "run_started")).toMatchObject([{ state: { session, iterations: 0 } }]);
  });

  test("moves the old journal's unreadable lines aside and warns", async () => {
    const { journal } = await lived({ earlier: { finished: ENDED }, badLines: [4, 9] });
    expect(bodiesOf(journal, "note")).toMatchObject([
      {
        level: "warn",
        text: expect.stringContaining(
          "2 lines of the journal of run 0001 could not be used and were set aside, the first /runs/0001/copy:4",
        ),
      },
    ]);
  });
});

test("a project without a journal adopts an original's state files", async () => {
  const oldFiles = {
    ".call_count": { text: "17\n", mtime: NOON },
    ".circuit_breaker_state": { text: "{", mtime: NOON },
  };
  const { journal, log } = await lived({ oldFiles });
  expect(log).toContain("aside .circuit_breaker_state");
  expect(bodiesOf(journal, "note")).not.toEqual([]);
});

describe("a reset", () => {
  const spec = { recordIn: "newest run", takesCommands: false, driver: null, startedBy: "reset" } as const;
  const resetBoth = (run: Run) => reset(run, "both", "manual_circuit_reset");

  test("is recorded in the newest run's journal, which keeps its end", async () => {
    const { journal, log } = await lived({ spec, earlier: { finished: ENDED } }, resetBoth);
    expect(log).toEqual(["lock 0002", "open 0001", "free room", "close 0001", "unlock"]);
    expect(journal).toMatchObject([{ run: "0001", type: "reset", what: "both", reason: "manual_circuit_reset" }]);
  });

  test("leaves a run that broke off without an end, so that the next one goes on with it", async () => {
    const { journal } = await lived({ spec, earlier: { started_by: "cli" } }, resetBoth);
    expect(bodiesOf(journal, "reset", "run_finished")).toMatchObject([{ type: "reset" }]);
  });

  test("is a short run of its own in a project without runs", async () => {
    const { types, journal } = await lived({ spec }, resetBoth);
    expect(types).toEqual(["run_started", "reset", "run_finished"]);
    expect(bodiesOf(journal, "run_finished")).toMatchObject([{ stop_reason: "stopped_by_user", exit_code: 0 }]);
  });
});

describe("the state files", () => {
  test("follow every write, with its events and the state after the last of them", async () => {
    const { updates } = await lived({}, async (run) => {
      run.appendAll([
        { type: "said", text: "x" },
        { type: "said", text: "y" },
      ]);
      return run.finish("stopped_by_user", "");
    });
    expect(updates.map(({ state, events }) => [events.map(({ type }) => type), state.seq])).toEqual([
      [["run_started"], 1],
      [["said", "said"], 3],
      [["run_finished"], 4],
    ]);
  });

  test("are up to date before anyone else hears of an event", async () => {
    const seen: number[] = [];
    const fake = fakeWorld({ subscribers: [{ name: "a", onEvents: () => void seen.push(fake.updates.length) }] });
    await fake.run(done);
    expect(seen).toEqual([1, 2]);
  });

  test("that cannot be written are warned of, and the run goes on", async () => {
    const { world } = fakeWorld();
    const openRun: typeof world.openRun = (run, warn) => {
      const files = world.openRun(run, warn);
      return { ...files, write: () => {}, updateStateFiles: () => {}, sync: () => warn("status.json: no room") };
    };
    const notes: string[] = [];
    const hear = (steps: readonly EventStep[]) => {
      for (const { event } of steps) if (event.type === "note") notes.push(`${event.level} ${event.text}`);
    };
    await lived({ world: { openRun }, subscribers: [{ name: "a", onEvents: hear }] });
    expect(notes).toEqual(["warn status.json: no room"]);
  });
});

describe("commands from other terminals", () => {
  test("reach the run until it has ended", async () => {
    const over: boolean[] = [];
    let command: (command: ControlCommand) => void = () => {};
    const { journal } = await lived(
      {
        world: {
          listenForControl: ({ onCommand, isOver }) => {
            command = onCommand;
            over.push(isOver());
            return () => over.push(isOver());
          },
        },
      },
      async (run) => {
        command({ command: "say", text: "Mind the tests." });
        return run.finish("stopped_by_user", "");
      },
    );
    expect(bodiesOf(journal, "said")).toMatchObject([{ text: "Mind the tests." }]);
    expect(over).toEqual([false, true]);
  });
});

describe("what guards the project's files", () => {
  test("is made at the first use, once, and knows how the journal began", async () => {
    const snapshots: RalphEvent[] = [];
    const { world } = fakeWorld();
    const openRun: typeof world.openRun = (run, warn) => ({
      ...world.openRun(run, warn),
      guardProject: (snapshot) => {
        snapshots.push(snapshot());
        return { watch: () => {}, repair: () => [], restoreLost: () => [] };
      },
    });
    const made: number[] = [];
    const state = (
      await lived({ world: { openRun } }, async (run) => {
        made.push(snapshots.length);
        for (let use = 0; use < 2; use += 1) run.guard.watch();
        made.push(snapshots.length);
        return run.state();
      })
    ).result;
    expect(made).toEqual([0, 1]);
    expect(snapshots).toMatchObject([
      {
        v: 1,
        type: "run_started",
        run: "0001",
        seq: 1,
        iteration: 0,
        at,
        state,
        pid: 4711,
        project: "/project",
        driver: "demo",
      },
    ]);
  });
});

test("the end of a run tells what it counted and used, and has its reason's exit code", async () => {
  const { journal } = await lived({}, async (run) => {
    run.append({ type: "iteration_started", number: 1, call: 1, resume: null, plan: null, head: null, snapshot: null });
    run.append({ type: "agent_usage", call: 1, ...noUsage(), input_tokens: 5, cost_usd: 0.5 });
    return run.finish("max_cost", "Enough.");
  });
  expect(bodiesOf(journal, "run_finished")).toMatchObject([
    { stop_reason: "max_cost", exit_code: 4, sentence: "Enough.", usage: { input_tokens: 5 }, cost_usd: 0.5 },
  ]);
});

test("a reset goes on with the numbers of the journal that it is added to", async () => {
  const spec = { recordIn: "newest run", takesCommands: false } as const;
  const { journal } = await lived({ spec, earlier: { finished: ENDED, seq: 41 } }, (run) =>
    reset(run, "session", "manual_reset_flag"),
  );
  expect(journal.map(({ seq }) => seq)).toEqual([42]);
});
