import process from "node:process";
import type { ControlCommand } from "../../core/control-command.ts";
import { initialState } from "../../core/journal/state.ts";
import { toUserError } from "../../core/system-error.ts";
import { interruptJob, type Keys, openKeys } from "../../effects/terminal/key-input.ts";
import { promptLine } from "../../view/dashboard/dashboard-footer.ts";
import { lineKeysHelp } from "../../view/dashboard/key-help.ts";
import { type Key, parseKeys, pendingMs } from "../../view/dashboard/parse-keys.ts";
import { isSteering, onKey } from "../../view/dashboard/ui.ts";
import { type Action, EMPTY_SCREEN, initialUi, isControl, type Ui } from "../../view/dashboard/ui-state.ts";
import { style } from "../../view/text/style.ts";
import { canDraw, NO_DASHBOARD } from "../terminal.ts";
import type { KeyArea, LinesView } from "./live-view.ts";
import type { RunViewOptions } from "./run-view.ts";
import { linesView } from "./run-view-lines.ts";

/** The lines of a run, and the keys that steer it. `hide` gives the terminal away, `show` takes it back. */
export type KeyedLines = LinesView & {
  /** From now on keys count; before, only Ctrl+C and Ctrl+Z do. */
  listen(): void;
};

const MESSAGE_MS = 4000;

/**
 * Lines with keys: those of the dashboard that steer a run, with its words, and the way to the dashboard. What else is typed
 * is discarded: the shell never gets it.
 * @param toDashboard shows the dashboard instead; may throw as `openDashboard` does
 */
export function createLiveKeys(
  options: RunViewOptions,
  steer: (command: ControlCommand) => void,
  toDashboard: () => void,
): KeyedLines {
  const styles = style(options.context.color);
  const draws = canDraw(options.context);
  let state = initialState(options.project);
  let ui = initialUi();
  let message: { text: string; until: number } | null = null;
  let isListening = false;
  let keys: Keys | null = null;

  const area: KeyArea = {
    lines(width) {
      if (ui.mode === "help") return lineKeysHelp(width, { isImport: state.started_by === "import", draws }, styles);
      if (message !== null && performance.now() >= message.until) message = null;
      return [promptLine(ui, message?.text ?? null, { width: width - 1, style: styles }) ?? []].flat();
    },
    isReading: () => keys?.isReading() ?? false,
  };
  const view = linesView(options, { keys: area });
  const showMessage = (text: string) => {
    message = { text, until: performance.now() + MESSAGE_MS };
  };
  const carryOut = (action: Action) => {
    if (isControl(action)) steer(action);
  };
  /** Where nothing is drawn over, what a key brings is lines of their own. */
  const tell = (before: Ui) => {
    const plain = { width: options.context.columns, style: style(false) };
    const isNew = ui.mode !== before.mode || (ui.entry === null) !== (before.entry === null);
    const prompt = isNew || message !== null ? promptLine(ui, message?.text ?? null, plain) : null;
    if (prompt !== null) view.say(prompt.replace("▏", ""));
    if (ui.mode !== "help") return;
    view.say(lineKeysHelp(plain.width, { isImport: state.started_by === "import", draws }, plain.style).join("\n"));
    ui = { ...ui, mode: before.mode };
  };
  const press = (key: Key) => {
    const alive = state.run !== "" && state.finished === null;
    const on = { ...EMPTY_SCREEN, state, iterations: [], runs: null, alive, readOnly: null };
    const answer = onKey(ui, key, on);
    ui = answer.ui;
    // The lines tell what a command has done.
    if (answer.message !== null && answer.action === null) showMessage(answer.message);
    if (answer.action !== null) carryOut(answer.action);
  };
  const take = (typed: string) => {
    for (const key of parseKeys(typed)) {
      if (key.name === "interrupt") interruptJob();
      else if (isListening && keys !== null && (isBusy() || isOurs(key))) pressSafely(key);
    }
    if (keys !== null) view.redraw();
  };
  const isBusy = () => ui.entry !== null || ui.mode !== "main";
  const pressSafely = (key: Key) => {
    message = null;
    const before = ui;
    try {
      if (!isBusy() && key.name === "text" && key.text === "m") {
        if (draws) toDashboard();
        else showMessage(`${NO_DASHBOARD.plain}.`);
      } else press(key);
    } catch (error) {
      showMessage((toUserError(error) ?? (error as Error)).message);
    }
    if (!draws) tell(before);
  };
  const open = () => {
    keys = openKeys(
      { input: process.stdin, output: process.stdout },
      {
        pendingMs,
        onSuspend() {
          const works = state.call === null ? "" : ": the agent works on to the end of its call, then nothing happens";
          view.say(`Suspended${works}. Go on with: fg`);
          view.hide();
        },
        onResume: view.show,
      },
    );
    keys.onKey(take);
  };
  const close = () => {
    keys?.close();
    keys = null;
  };
  open();
  return {
    ...view,
    reader: {
      ...view.reader,
      onEvents(steps) {
        state = steps.at(-1)?.state ?? state;
        view.reader.onEvents(steps);
      },
    },
    listen() {
      isListening = true;
      if (!draws) view.say("? lists the keys.");
    },
    hide() {
      close();
      view.hide();
    },
    show() {
      open();
      view.show();
    },
    close() {
      close();
      view.close();
    },
  };
}

/** Whether a key does something here when nothing is being typed or asked. */
function isOurs(key: Key): boolean {
  if (key.name === "paste") return true;
  return key.name === "text" && (key.text === "m" || key.text === "?" || isSteering(key.text));
}
