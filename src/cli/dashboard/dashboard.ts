import { join } from "node:path";
import type { ControlCommand } from "../../core/control-command.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { ParsedPlan } from "../../core/plan/fix-plan.ts";
import type { RunReceipt } from "../../core/report/run-receipt.ts";
import type { Answer } from "../../effects/journal/control-channel.ts";
import { runsFromNewest } from "../../effects/journal/journal-read.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import { iterationNumbers, outputEvents } from "../../view/dashboard/model.ts";
import { onKey } from "../../view/dashboard/ui.ts";
import type { Action } from "../../view/dashboard/ui-state.ts";
import { liveRun } from "../run/send-control.ts";
import { createShell } from "./dashboard-shell.ts";
import { followRun } from "./followed-run.ts";
import { createSentCommands } from "./sent-commands.ts";

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
/** The newest runs, of which the list to choose from holds this many. */
const MOST_RUNS = 100;

/**
 * The dashboard on this terminal: follows the journal, and carries out the user's keys.
 * @throws the system's error, or RalphError, if there is a run that cannot be read
 */
export function openDashboard(options: DashboardOptions): OpenDashboard {
  const { project, ralphDir, readOnly } = options;
  const { promise: closed, resolve: leave } = Promise.withResolvers<void>();
  /** The output of the iteration that is opened; null while the newest is shown. */
  let opened: EventStep[] | null = null;
  let runs: RunReceipt[] = [];
  let partial = () => "";
  let drawnPartial = partial;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const shell = createShell<Action>({
    project,
    color: options.color,
    shown(ui) {
      if (ui.opened === null) opened = null;
      drawnPartial = partial;
      return { ...followed.shown(), opened, partial: partial(), runs, now: Date.now(), readOnly, replay: null };
    },
    events: () => opened ?? followed.shown().dashboard.shown,
    onKey(ui, key, drawn) {
      const { dashboard, alive } = followed.shown();
      return onKey(ui, key, {
        ...drawn,
        state: dashboard.state,
        iterations: iterationNumbers(dashboard),
        runs: runs.map(({ run }) => run),
        alive,
        readOnly,
      });
    },
    carryOut: (action) => carryOut(action),
  });
  const { draw, attempt } = shell;
  const followed = followRun({
    project,
    ralphDir,
    run: options.run,
    plan: () => attempt(options.plan) ?? null,
  });
  const sent = createSentCommands(ralphDir, (text) => {
    if (text !== null) shell.say(text);
    draw();
  });

  /** @returns whether there is something new to show */
  function look(): boolean {
    const { isNew, isRestart, before, events } = followed.look();
    if (isRestart) {
      opened = null;
      shell.change({ mode: "main", bottom: null, opened: null, changes: null, at: null });
    }
    const watched = shell.ui().opened;
    if (opened !== null && before.open?.number === watched) {
      const added = events.filter(({ iteration }) => iteration === watched);
      opened = [...opened, ...outputEvents(before, added)];
    }
    if (events.some(({ type }) => type === "agent_text" || type === "agent_finished")) partial = () => "";
    return isNew;
  }

  function carryOut(action: Action): void {
    switch (action.command) {
      case "leave":
        leave();
        break;
      case "interrupt":
        if (options.onInterrupt() === "leave") leave();
        break;
      case "open":
        opened = followed.output(action.iteration);
        break;
      case "runs":
        runs = receipts(ralphDir);
        break;
      case "watch":
        followed.watch(action.run);
        look();
        break;
      case "copy":
        shell.copy();
        break;
      case "edit":
        shell.edit();
        break;
      default:
        steer(action);
    }
  }

  function steer(command: ControlCommand): void {
    const { run } = followed.shown().dashboard.state;
    const answer = options.steer(run, command);
    if (answer !== null) sent.add(run, answer);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(step, ANSWER_MS);
  }

  function step(): void {
    timer = null;
    const isNew = attempt(look) !== false;
    const before = shell.told();
    sent.tellLate();
    if (isNew || shell.told() !== before || partial !== drawnPartial) draw();
    schedule(followed.shown().alive ? LOOK_MS : SLOW_MS);
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(step, ms);
  }

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
      if (timer !== null) clearTimeout(timer);
      shell.close();
    },
  };
}

/** The newest runs, oldest first. */
function receipts(ralphDir: string): RunReceipt[] {
  const runsDir = join(ralphDir, "runs");
  const live = liveRun(ralphDir);
  return [...runsFromNewest(runsDir).take(MOST_RUNS)].reverse().map((run) => runReceipt(runsDir, run, run === live));
}
