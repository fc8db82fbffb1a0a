import { join } from "node:path";
import type { RalphEvent } from "../../core/journal/event.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { State } from "../../core/journal/state.ts";
import type { ParsedPlan } from "../../core/plan/fix-plan.ts";
import { newestRun } from "../../effects/journal/journal-read.ts";
import { createRunFollower } from "../../effects/journal/run-follower.ts";
import {
  applyEvent,
  type Dashboard,
  emptyDashboard,
  type IterationStart,
  iterationStart,
  outputEvents,
} from "../../view/dashboard/model.ts";
import type { WorkerRow } from "../../view/swarm-lines.ts";
import { liveRun } from "../run/send-control.ts";
import { swarmWorkers } from "../show/swarm-workers.ts";

/** How often to check that the run is alive, and to read its plan. */
const CHECK_MS = 1000;

export type FollowedRunOptions = {
  project: string;
  ralphDir: string;
  /** The run to follow; null for the newest, then for each later one as it begins. */
  run: string | null;
  /** The project's plan as it is now; null for none. */
  plan(): ParsedPlan | null;
};

/** What a dashboard knows of a run, by its journal, its lock and the project's plan. */
export type RunShown = { dashboard: Dashboard; alive: boolean; plan: ParsedPlan | null; workers: readonly WorkerRow[] };

/** What a look found. */
export type News = {
  /** Whether there is anything new to show. */
  isNew: boolean;
  /** All that was shown before is of another run, or of a journal that was replaced. */
  isRestart: boolean;
  /** The state before its events. */
  before: State;
  events: readonly RalphEvent[];
};

export type FollowedRun = {
  /** @throws the system's error, or RalphError, if the run cannot be read */
  look(): News;
  shown(): RunShown;
  /** Follows another run. The newest is followed to those after it, unless one run was asked for. */
  watch(run: string): void;
  /** What an iteration printed; none for one that is not there. */
  output(iteration: number): EventStep[];
};

export function followRun({ project, ralphDir, run: asked, plan }: FollowedRunOptions): FollowedRun {
  const runsDir = join(ralphDir, "runs");
  let follower = createRunFollower(runsDir, asked);
  let marks = new Map<number, IterationStart>();
  let shown: RunShown = { dashboard: emptyDashboard(project), alive: false, plan: null, workers: [] };
  let checkedAt = Number.NEGATIVE_INFINITY;

  function take(event: RalphEvent, at: number): void {
    const mark = iterationStart(event, shown.dashboard.state, at);
    if (mark !== null && !marks.has(mark.iteration)) marks.set(mark.iteration, mark);
    shown = { ...shown, dashboard: applyEvent(shown.dashboard, event) };
    // A run is over at its last event, a moment before its process ends.
    if (event.type === "run_finished") shown = { ...shown, alive: false };
  }

  function check(): void {
    const { state } = shown.dashboard;
    const alive = state.run !== "" && state.finished === null && liveRun(ralphDir) === state.run;
    // The plan of today says nothing about an older run.
    const isNewest = newestRun(runsDir) === state.run;
    shown = {
      ...shown,
      alive,
      plan: state.plan === null || !isNewest ? null : plan(),
      workers: alive ? swarmWorkers(project, state) : [],
    };
  }

  return {
    shown: () => shown,
    look() {
      const now = performance.now();
      const isDue = now - checkedAt >= CHECK_MS;
      const update = follower.look(isDue);
      const isRestart = update?.isRestart === true;
      if (isRestart) {
        shown = { ...shown, dashboard: emptyDashboard(project) };
        marks = new Map();
      }
      const before = shown.dashboard.state;
      for (const { event, at } of update?.events ?? []) take(event, at);
      if (isDue || isRestart) {
        checkedAt = now;
        check();
      }
      const events = (update?.events ?? []).map(({ event }) => event);
      return { isNew: isDue || update !== null, isRestart, before, events };
    },
    watch(run) {
      const isNewest = asked === null && newestRun(runsDir) === run;
      follower = createRunFollower(runsDir, isNewest ? null : run);
      // If the other one cannot be read, nothing of this one may stand for it.
      shown = { ...shown, dashboard: emptyDashboard(project) };
      marks = new Map();
      checkedAt = Number.NEGATIVE_INFINITY;
    },
    output(iteration) {
      const mark = marks.get(iteration);
      return mark === undefined ? [] : outputEvents(mark.state, follower.iteration(mark.at));
    },
  };
}
