import process from "node:process";
import { foldsCase } from "../../core/project-path.ts";
import { toUserError } from "../../core/system-error.ts";
import { openCursor } from "../../effects/journal/journal-cursor.ts";
import { readOverview } from "../../effects/journal/journal-tail.ts";
import { openScreen } from "../../effects/terminal/screen.ts";
import { editTarget } from "../../view/dashboard/edit-target.ts";
import { emptyFrame, type Frame, frame } from "../../view/dashboard/frame.ts";
import { createOutputLines } from "../../view/dashboard/output-lines.ts";
import { parseKeys, pendingMs } from "../../view/dashboard/parse-keys.ts";
import { indexReplay } from "../../view/dashboard/replay-index.ts";
import { onReplayKey, type ReplayAction } from "../../view/dashboard/replay-keys.ts";
import { initialUi, showsSame } from "../../view/dashboard/ui-state.ts";
import { shortener } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";
import { createDesk } from "./dashboard-desk.ts";
import { createPlayer } from "./replay-player.ts";

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
const MESSAGE_MS = 4000;
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
  const shorten = shortener(project, foldsCase(process.platform));
  const styles = style(color);
  const output = createOutputLines();
  const { promise: closed, resolve: leave } = Promise.withResolvers<void>();
  let ui = initialUi();
  let message: { text: string; until: number } | null = null;
  let drawn: Frame = emptyFrame();
  let ranAt = Date.now();

  /** What was played of the opened iteration. */
  const shownEvents = () =>
    ui.opened === null ? null : player.dashboard().shown.filter(({ event }) => event.iteration === ui.opened);
  const showMessage = (text: string) => {
    message = { text, until: Date.now() + MESSAGE_MS };
  };
  const edit = () => {
    const events = shownEvents() ?? player.dashboard().shown;
    const edited = desk.edit(editTarget(ui, drawn.plan, events, drawn.places[0]?.seq), events);
    void edited.then(
      (text) => text !== null && showMessage(text),
      (error: unknown) => showMessage((toUserError(error) ?? (error as Error)).message),
    );
  };
  const draw = () => {
    const replay = player.facts();
    const dashboard = player.dashboard();
    if (message !== null && Date.now() >= message.until) message = null;
    drawn = frame({
      // The list is for jumping, so it also holds iterations that are still to come.
      dashboard: ui.mode === "list" ? { ...dashboard, rows: contents.rows } : dashboard,
      opened: shownEvents(),
      partial: "",
      // Today's plan says nothing about the run.
      plan: null,
      runs: [],
      workers: [],
      ui,
      size: screen.size(),
      now: player.now(),
      alive: !replay.isOver,
      readOnly: READ_ONLY,
      message: message?.text ?? null,
      replay,
      style: styles,
      shorten,
      output,
      reading: drawn.reading,
    });
    if (ui.bottom !== null) ui = { ...ui, bottom: drawn.reading?.bottom ?? null };
    screen.draw(drawn.lines);
  };
  const carryOut = (action: ReplayAction) => {
    if (action.command === "leave") leave();
    if (action.command === "play") player.turn(action.key);
    if (action.command === "copy") showMessage(desk.copy(drawn.copied));
    if (action.command === "edit") edit();
    if (action.command === "jump" && !player.jump(action.iteration))
      showMessage(`The run has no iteration ${action.iteration}.`);
  };
  const onInput = (text: string) => {
    let isStale = false;
    for (const key of parseKeys(text)) {
      // A key acts on what the keys before it brought to the screen; typed words need no frame each.
      if (isStale && ui.entry === null) draw();
      const answer = onReplayKey(ui, key, {
        ...drawn,
        state: player.dashboard().state,
        iterations: contents.rows.map(({ number }) => number),
        runs: null,
        alive: true,
        readOnly: READ_ONLY,
      });
      if (!showsSame(ui, answer.ui)) drawn = { ...drawn, reading: null };
      isStale = ui !== answer.ui;
      ui = answer.ui;
      message = null;
      if (answer.message !== null) showMessage(answer.message);
      if (answer.action !== null) carryOut(answer.action);
    }
    draw();
  };
  const tick = () => {
    const now = Date.now();
    player.run(now - ranAt);
    ranAt = now;
    draw();
  };

  const screen = openScreen({ input: process.stdin, output: process.stdout }, { onInput, onResize: draw }, pendingMs);
  const desk = createDesk(screen, project, process.env, shorten);
  const timer = setInterval(tick, FRAME_MS);
  draw();
  return {
    isDamaged,
    closed,
    close() {
      clearInterval(timer);
      screen.close();
      cursor.close();
    },
  };
}
