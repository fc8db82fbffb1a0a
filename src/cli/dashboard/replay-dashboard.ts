import { openCursor } from "../../effects/journal/journal-cursor.ts";
import { readOverview } from "../../effects/journal/journal-tail.ts";
import { indexReplay } from "../../view/dashboard/replay-index.ts";
import { onReplayKey, type ReplayAction } from "../../view/dashboard/replay-keys.ts";
import type { Ui } from "../../view/dashboard/ui-state.ts";
import { createPlayer } from "../show/replay-player.ts";
import { createShell } from "./dashboard-shell.ts";

export type ReplayDashboardOptions = {
  /** Path of the journal. */
  path: string;
  project: string;
  color: boolean;
  speed: number;
  isPaused: boolean;
  /** The iteration to start from; null for the beginning. */
  from: number | null;
};

export type ReplayDashboard = {
  /** Whether lines of the journal were left out. */
  isDamaged: boolean;
  /** Resolves when the user leaves. */
  closed: Promise<void>;
  close(): void;
};

const FRAME_MS = 100;
const READ_ONLY = "This is a replay: there is nothing to steer.";

/**
 * Opens the dashboard of a run that is played back.
 * @returns null if there is no such iteration to start from
 */
export function openReplayDashboard(options: ReplayDashboardOptions): ReplayDashboard | null {
  const { path, project, color } = options;
  const { events: overview, isDamaged } = readOverview(path);
  const contents = indexReplay(overview, project);
  const cursor = openCursor(path);
  const player = createPlayer(cursor, contents, project, options);
  if (options.from !== null && !player.jump(options.from)) {
    cursor.close();
    return null;
  }
  const { promise: closed, resolve: leave } = Promise.withResolvers<void>();
  let ranAt = Date.now();

  /** What was played of the opened iteration. */
  const shownEvents = ({ opened }: Ui) =>
    opened === null ? null : player.dashboard().shown.filter(({ event }) => event.iteration === opened);
  const shell = createShell<ReplayAction>({
    project,
    color,
    shown(ui) {
      const replay = player.facts();
      const dashboard = player.dashboard();
      return {
        // The list is for jumping, so it also holds iterations that are still to come.
        dashboard: ui.mode === "list" ? { ...dashboard, rows: contents.rows } : dashboard,
        opened: shownEvents(ui),
        partial: "",
        // Today's plan says nothing about the run.
        plan: null,
        runs: [],
        workers: [],
        now: player.now(),
        alive: !replay.isOver,
        readOnly: READ_ONLY,
        replay,
      };
    },
    events: (ui) => shownEvents(ui) ?? player.dashboard().shown,
    onKey: (ui, key, drawn) =>
      onReplayKey(ui, key, {
        ...drawn,
        state: player.dashboard().state,
        iterations: contents.rows.map(({ number }) => number),
        runs: null,
        alive: true,
        readOnly: READ_ONLY,
      }),
    carryOut(action) {
      if (action.command === "leave") leave();
      if (action.command === "play") player.turn(action.key);
      if (action.command === "copy") shell.copy();
      if (action.command === "edit") shell.edit();
      if (action.command === "jump" && !player.jump(action.iteration))
        shell.say(`The run has no iteration ${action.iteration}.`);
    },
  });
  const tick = () => {
    const now = Date.now();
    player.run(now - ranAt);
    ranAt = now;
    shell.draw();
  };

  shell.open();
  const timer = setInterval(tick, FRAME_MS);
  return {
    isDamaged,
    closed,
    close() {
      clearInterval(timer);
      shell.close();
      cursor.close();
    },
  };
}
