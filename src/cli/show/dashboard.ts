import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlCommand } from "../../core/control-command.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { ParsedPlan } from "../../core/plan/fix-plan.ts";
import type { RunReceipt } from "../../core/report/run-receipt.ts";
import type { Answer } from "../../effects/journal/control-channel.ts";
import { newestRun, runsFromNewest } from "../../effects/journal/journal-read.ts";
import type { EventAtOffset } from "../../effects/journal/journal-tail.ts";
import { createRunFollower } from "../../effects/journal/run-follower.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import {
  applyEvent,
  emptyDashboard,
  type IterationStart,
  iterationNumbers,
  iterationStart,
  outputEvents,
} from "../../view/dashboard/model.ts";
import { onKey } from "../../view/dashboard/ui.ts";
import type { Action } from "../../view/dashboard/ui-state.ts";
import type { WorkerRow } from "../../view/swarm-lines.ts";
import { liveRun } from "../run/send-control.ts";
import { createShell } from "./dashboard-shell.ts";
import { swarmWorkers } from "./swarm-workers.ts";

export type DashboardOptions = {
  project: string;
  ralphDir: string;
  /** The run to show; null for the newest, then for each later one as it begins. */
  run: string | null;
  color: boolean;
  plan(): ParsedPlan | null;
  /** Why this process can't steer the run; null if it can. */
  readOnly: string | null;
  /**
   * @returns what becomes of the command; null if it was heard at once
   */
  steer(run: string, command: ControlCommand): Promise<Answer> | null;
  /** Called on Ctrl+C; "leave" closes the dashboard. */
  onInterrupt(): "leave" | "stay";
};

export type OpenDashboard = {
  /** Shows the block that the agent is writing, or "". */
  onPartial(read: () => string): void;
  /** Resolves when the user leaves. */
  closed: Promise<void>;
  close(): void;
};

/** Streaming text reads as well at two or three frames a second, and each frame costs. */
const LOOK_MS = 400;
/** The effect of a key on the run is looked for this soon. */
const ANSWER_MS = 60;
const SLOW_MS = 1000;
/** A run that has not taken a command by now is asleep. */
const TAKEN_WITHIN_MS = 3000;
/** A run whose socket is closed and whose lock is held for longer than this lives. */
const ENDS_WITHIN_MS = 1000;
/** How often to check that the run is alive, and to read its plan. */
const CHECK_MS = 1000;
/** The newest runs, of which the list to choose from holds this many. */
const MOST_RUNS = 100;

/**
 * The dashboard on this terminal: follows the journal, and carries out the user's keys.
 * @throws the system's error, or RalphError, if there is a run that cannot be read
 */
export function openDashboard(options: DashboardOptions): OpenDashboard {
  const { project, ralphDir } = options;
  const runsDir = join(ralphDir, "runs");
  let follower = createRunFollower(runsDir, options.run);
  const { promise: closed, resolve: leave } = Promise.withResolvers<void>();
  let marks = new Map<number, IterationStart>();
  let dashboard = emptyDashboard(project);
  let opened: EventStep[] | null = null;
  let partial = () => "";
  let drawnPartial = partial;
  let alive = false;
  let plan: ParsedPlan | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let pending: { until: number }[] = [];
  let isOpen = true;
  let runs: RunReceipt[] = [];
  let workers: WorkerRow[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;

  const shell = createShell<Action>({
    project,
    color: options.color,
    shown(ui) {
      if (ui.opened === null) opened = null;
      drawnPartial = partial;
      const { readOnly } = options;
      const now = Date.now();
      return { dashboard, opened, partial: partial(), plan, runs, workers, now, alive, readOnly, replay: null };
    },
    events: () => opened ?? dashboard.shown,
    onKey: (ui, key, drawn) =>
      onKey(ui, key, {
        ...drawn,
        state: dashboard.state,
        iterations: iterationNumbers(dashboard),
        runs: runs.map(({ run }) => run),
        alive,
        readOnly: options.readOnly,
      }),
    carryOut: (action) => carryOut(action),
  });
  const { draw, attempt } = shell;

  /** @returns whether there is something new to show */
  const look = () => {
    const now = performance.now();
    const due = now - checkedAt >= CHECK_MS;
    const news = follower.look(due);
    if (news?.isRestart) {
      dashboard = emptyDashboard(project);
      marks = new Map();
      opened = null;
      shell.change({ mode: "main", bottom: null, opened: null, changes: null, at: null });
    }
    // A run is over at its last event, a moment before its process ends.
    if (news?.events.some(({ event }) => event.type === "run_finished")) alive = false;
    const before = dashboard.state;
    const watched = shell.ui().opened;
    for (const { event, at } of news?.events ?? []) {
      const mark = iterationStart(event, dashboard.state, at);
      if (mark !== null && !marks.has(mark.iteration)) marks.set(mark.iteration, mark);
      if (event.type === "agent_text" || event.type === "agent_finished") partial = () => "";
      dashboard = applyEvent(dashboard, event);
    }
    if (opened !== null && before.open?.number === watched)
      opened = [...opened, ...outputEvents(before, eventsOf(news?.events ?? [], watched))];
    if (!due && news?.isRestart !== true) return news !== null;
    checkedAt = now;
    const { run, finished } = dashboard.state;
    alive = run !== "" && finished === null && liveRun(ralphDir) === run;
    workers = alive ? swarmWorkers(project, dashboard.state) : [];
    // The plan of today says nothing about an older run.
    const isNewest = newestRun(runsDir) === run;
    plan = dashboard.state.plan === null || !isNewest ? null : (attempt(options.plan) ?? null);
    return true;
  };

  /** Reports commands that the run has not taken, so that nobody thinks them done. */
  const reportPending = () => {
    for (const late of pending) {
      if (performance.now() < late.until) continue;
      late.until = Number.POSITIVE_INFINITY;
      shell.say("The run does not answer just now; it hears this when it goes on, while the dashboard is open.");
    }
  };
  const follow = (run: string, sent: Promise<Answer>) => {
    const one = { until: performance.now() + TAKEN_WITHIN_MS };
    pending.push(one);
    const over = (text: string | null) => {
      pending = pending.filter((each) => each !== one);
      if (text !== null) shell.say(text);
      if (isOpen) draw();
    };
    sent
      .then(async (answer) => {
        if (typeof answer === "object") return over(`The run refused this: ${answer.refused}.`);
        if (answer === "taken") return over(null);
        const hasEnded = await endsNow(ralphDir, run);
        over(hasEnded ? "The run ended before it heard this." : "The run cannot be reached from here.");
      })
      .catch((error: Error) => over(error.message));
  };
  /** The newest run is followed to those after it, unless the user asked for one run. */
  const watch = (run: string) => {
    const isNewest = options.run === null && newestRun(runsDir) === run;
    follower = createRunFollower(runsDir, isNewest ? null : run);
    dashboard = emptyDashboard(project);
    checkedAt = Number.NEGATIVE_INFINITY;
    look();
  };
  const carryOut = (action: Action) => {
    if (action.command === "leave") return leave();
    if (action.command === "interrupt") return options.onInterrupt() === "leave" ? leave() : undefined;
    if (action.command === "open") {
      const mark = marks.get(action.iteration);
      opened = mark === undefined ? [] : outputEvents(mark.state, follower.iteration(mark.at));
      return;
    }
    if (action.command === "runs") {
      const live = liveRun(ralphDir);
      runs = [...runsFromNewest(runsDir).take(MOST_RUNS)]
        .reverse()
        .map((run) => runReceipt(runsDir, run, run === live));
      return;
    }
    if (action.command === "watch") return watch(action.run);
    if (action.command === "copy") return shell.copy();
    if (action.command === "edit") return shell.edit();
    const { run } = dashboard.state;
    const sent = options.steer(run, action);
    if (sent !== null) follow(run, sent);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(step, ANSWER_MS);
  };
  const step = () => {
    timer = null;
    const isNew = attempt(look) !== false;
    const before = shell.told();
    attempt(reportPending);
    if (isNew || shell.told() !== before || partial !== drawnPartial) draw();
    schedule(alive ? LOOK_MS : SLOW_MS);
  };
  const schedule = (ms: number) => {
    timer ??= setTimeout(step, ms);
  };

  // An error here is thrown before the screen opens, so the message stays visible.
  look();
  shell.open();
  schedule(LOOK_MS);
  return {
    onPartial(read) {
      partial = read;
    },
    closed,
    close() {
      isOpen = false;
      if (timer !== null) clearTimeout(timer);
      shell.close();
    },
  };
}

/** Whether a run ends within ENDS_WITHIN_MS: the system closes the files of a killed process one by one, its lock last. */
async function endsNow(ralphDir: string, run: string): Promise<boolean> {
  for (const end = performance.now() + ENDS_WITHIN_MS; liveRun(ralphDir) === run; await sleep(ANSWER_MS))
    if (performance.now() >= end) return false;
  return true;
}

/** The events of an iteration, up to its end. */
function eventsOf(events: readonly EventAtOffset[], iteration: number | null): RalphEvent[] {
  return events.flatMap(({ event }) => (event.iteration === iteration ? [event] : []));
}
