import { type CheckpointHistory, stepsOfTask, watchCheckpoints } from "../checkpoints/checkpoint-list.ts";
import type { Proof } from "../decide/proof.ts";
import type { TestCounts } from "../gates/test-counts.ts";
import type { EventOf, RalphEvent } from "../journal/event.ts";
import { addUsage, noUsage, type Spending, totalTokens } from "../journal/usage.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import { createReportBuilder } from "./build-report.ts";
import { elapsedMs } from "./report-time.ts";
import type { GateReceipt, IterationReceipt, Report } from "./report-types.ts";
import { splitAtTicks } from "./task-receipts.ts";

/** Work that landed: what one tick of the plan finished, a whole run that works from no plan, or a worker's branch on its target. */
export type LandedWork = {
  run: string;
  /** Tells it apart from others of the run. */
  mark: number;
  /** The ticked tasks in their words; the run's own task for a run without a plan. */
  tasks: string[];
  /** False for a run without a plan: `ralph diff --task` and `ralph undo --task` do not know its task. */
  ticked: boolean;
  first_iteration: number;
  /** 0 for a branch, whose iterations are in its worker's journal. */
  last_iteration: number;
  /** Where a branch was put, and whether the gates were green on exactly that commit; null for everything else. */
  target: { branch: string; tested: boolean } | null;
  /** ISO time of its end. */
  at: string;
  wall_ms: number;
  usage: Spending;
  tokens: number;
  lines_added: number;
  lines_removed: number;
  /** Of its last iteration, with the tests that each counted. */
  gates: (GateReceipt & { tests: TestCounts | null })[];
  review: string | null;
  looks: string[];
  /** How a run without a plan ended; null for a task of a plan. */
  end: { reason: StopReason; exit_code: number; proof: Proof | null } | null;
  /** Why it cannot be taken back alone; null if it can. */
  stays: string | null;
};

/** A task that was taken out of the files again, and when. */
export type TakenBack = { task: string; at: string };

/** What the morning page needs of a run. */
export type RunHarvest = {
  run: string;
  landed: LandedWork[];
  taken_back: TakenBack[];
  /** What each iteration spent, and when it ended, for the sum since a time. `worker`: what the run of a swarm's worker did in all. */
  spent: { at: string; usage: Spending; worker: string | null }[];
};

/** Reads a run's events once, as they come. @param options as for `createReportBuilder` */
export function createHarvest(options: { foldCase: boolean }): {
  take(events: readonly RalphEvent[]): void;
  end(): RunHarvest;
} {
  const builder = createReportBuilder(options);
  const checkpoints = watchCheckpoints();
  const tests = new Map<number, Map<string, TestCounts>>();
  const taken_back: TakenBack[] = [];
  const branches = createBranches();
  const note = (event: RalphEvent) => {
    branches.take(event);
    if (event.type === "undone" && event.task !== undefined) taken_back.push({ task: event.task, at: event.at });
    if (event.type !== "gate_finished" || event.counts === undefined) return;
    const of = tests.get(event.iteration) ?? new Map<string, TestCounts>();
    tests.set(event.iteration, of.set(event.command, event.counts));
  };
  return {
    take(events) {
      for (const event of checkpoints.through(events)) {
        builder.take(event);
        note(event);
      }
    },
    end() {
      const report = builder.end();
      const history = checkpoints.history();
      const own = report.iterations.map((row) => ({ at: endOf(row), usage: row.usage, worker: null }));
      const landed = [...landedIn(report, history, tests), ...branches.landed(report.run)];
      return { run: report.run, landed, taken_back, spent: [...own, ...branches.spent()] };
    },
  };
}

/** What workers of a swarm did, by the journal of its own run. */
function createBranches(): {
  take(event: RalphEvent): void;
  landed(run: string): LandedWork[];
  spent(): RunHarvest["spent"];
} {
  const green = new Set<string>();
  const usages = new Map<string, Spending>();
  const found: (Omit<LandedWork, "run" | "usage" | "tokens"> & { task: string | null })[] = [];
  const spent: RunHarvest["spent"] = [];
  const land = ({ branches, target, to, at, seq }: EventOf<"landed">) => {
    for (const [nth, { name, task, text }] of branches.entries())
      found.push({
        ...{ ...NO_ITERATIONS, tasks: [text ?? name], ticked: false, end: null, stays: null, task, at },
        mark: -(seq * 1000 + nth),
        target: { branch: target, tested: green.has(to) },
      });
  };
  return {
    take(event) {
      if (event.type === "land_tested" && event.green) green.add(event.commit);
      if (event.type === "landed") land(event);
      if (event.type !== "task_released" || event.spent === undefined) return;
      usages.set(event.task, addUsage(usages.get(event.task) ?? noUsage(), event.spent.usage));
      spent.push({ at: event.at, usage: event.spent.usage, worker: event.worker });
    },
    landed: (run) =>
      found.map(({ task, ...work }) => {
        const usage = usages.get(task ?? "") ?? noUsage();
        return { ...work, run, usage, tokens: totalTokens(usage) };
      }),
    spent: () => spent,
  };
}

const NO_ITERATIONS = {
  ...{ first_iteration: 0, last_iteration: 0, wall_ms: 0, lines_added: 0, lines_removed: 0 },
  ...{ gates: [], review: null, looks: [] },
};

const NOT_A_TASK = "ralph undo takes back its iterations one by one";

type Tests = ReadonlyMap<number, ReadonlyMap<string, TestCounts>>;

function landedIn(report: Report, history: CheckpointHistory, tests: Tests): LandedWork[] {
  const rows = report.iterations;
  if (rows.some(({ plan }) => plan !== null && plan.total > 0))
    return splitAtTicks(rows).flatMap((part) => {
      const last = part.at(-1);
      if (last === undefined || last.plan_delta <= 0) return [];
      const tasks = last.ticked;
      return [
        { ...workOf(report, part, tests), tasks, ticked: tasks.length > 0, end: null, stays: stays(history, tasks) },
      ];
    });
  if (report.stop_reason === null || rows.length === 0) return [];
  const end = { reason: report.stop_reason, exit_code: report.exit_code ?? 0, proof: report.proof };
  return [
    { ...workOf(report, rows, tests), tasks: [report.task ?? report.title], ticked: false, end, stays: NOT_A_TASK },
  ];
}

function workOf(
  { run }: Report,
  part: readonly IterationReceipt[],
  tests: Tests,
): Omit<LandedWork, "tasks" | "ticked" | "end" | "stays"> {
  const last = part.at(-1);
  const number = last?.number ?? 0;
  const usage = part.reduce((sum, row) => addUsage(sum, row.usage), noUsage());
  return {
    run,
    mark: number,
    target: null,
    first_iteration: part[0]?.number ?? 0,
    last_iteration: number,
    at: last === undefined ? "" : endOf(last),
    wall_ms: part.reduce((sum, row) => sum + (row.wall_ms ?? 0), 0),
    usage,
    tokens: totalTokens(usage),
    lines_added: part.reduce((sum, row) => sum + row.lines_added, 0),
    lines_removed: part.reduce((sum, row) => sum + row.lines_removed, 0),
    gates: (last?.gates ?? []).map((gate) => ({ ...gate, tests: tests.get(number)?.get(gate.command) ?? null })),
    review: last?.review ?? null,
    looks: part.flatMap(({ looks }) => looks),
  };
}

/** Why `ralph undo --task` would refuse these tasks; null if it would not. */
function stays(history: CheckpointHistory, [task, ...others]: readonly string[]): string | null {
  if (task === undefined) return "its tasks are not recorded";
  if (others.length > 0) return `one iteration did ${others.length + 1} tasks`;
  const found = stepsOfTask(history, task);
  if (found === null) return "no checkpoint tells of it";
  return "conflict" in found ? found.conflict : null;
}

function endOf({ started_at, wall_ms }: IterationReceipt): string {
  return new Date(Date.parse(started_at) + (wall_ms ?? 0)).toISOString();
}

/** Whether a task was taken back after it landed. */
export function isTakenBack({ tasks, at }: LandedWork, back: readonly TakenBack[]): boolean {
  return back.some((one) => tasks.includes(one.task) && elapsedMs(at, one.at) > 0);
}
