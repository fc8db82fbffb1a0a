import process from "node:process";
import type { EventStep } from "../../core/journal/event-step.ts";
import { foldsCase } from "../../core/project-path.ts";
import { toUserError } from "../../core/system-error.ts";
import { openScreen, type Screen } from "../../effects/terminal/screen.ts";
import { editTarget } from "../../view/dashboard/edit-target.ts";
import { emptyFrame, type Frame, frame } from "../../view/dashboard/frame.ts";
import type { FrameInput } from "../../view/dashboard/frame-input.ts";
import { createOutputLines } from "../../view/dashboard/output-lines.ts";
import { type Key, parseKeys, pendingMs } from "../../view/dashboard/parse-keys.ts";
import { initialUi, showsSame, type Ui } from "../../view/dashboard/ui-state.ts";
import { shortener } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";
import { createDesk } from "./dashboard-desk.ts";

/** What a dashboard shows and does, live or as a replay; the shell has the screen, the keys and the messages. */
export type ShellOptions<Action> = {
  project: string;
  color: boolean;
  shown(ui: Ui): Omit<FrameInput, "ui" | "size" | "message" | "style" | "shorten" | "output" | "reading">;
  /** The shown output, for the editor. */
  events(ui: Ui): readonly EventStep[];
  onKey(ui: Ui, key: Key, drawn: Frame): { ui: Ui; action: Action | null; message: string | null };
  /** May throw what the user is told. */
  carryOut(action: Action): void;
};

export type Shell = {
  /** Takes over the terminal, and draws. */
  open(): void;
  ui(): Ui;
  change(to: Partial<Ui>): void;
  /** Draws while it is open. */
  draw(): void;
  /** The text that is told just now; null for none. */
  told(): string | null;
  /** Tells the user something for a while, in the place of the keys. */
  say(text: string): void;
  /** Does it, and tells the user why it failed; undefined then. */
  attempt<T>(action: () => T): T | undefined;
  copy(): void;
  edit(): void;
  close(): void;
};

const MESSAGE_MS = 4000;

/** A shell that has not yet taken over the terminal. */
export function createShell<Action>(options: ShellOptions<Action>): Shell {
  const { project } = options;
  const shorten = shortener(project, foldsCase(process.platform));
  const styles = style(options.color);
  const output = createOutputLines();
  let ui = initialUi();
  let message: { text: string; until: number } | null = null;
  let drawn: Frame = emptyFrame();
  let screen: Screen | null = null;

  const draw = () => {
    if (screen === null) return;
    if (message !== null && performance.now() >= message.until) message = null;
    drawn = frame({
      ...options.shown(ui),
      ui,
      size: screen.size(),
      message: message?.text ?? null,
      style: styles,
      shorten,
      output,
      reading: drawn.reading,
    });
    if (ui.bottom !== null) ui = { ...ui, bottom: drawn.reading?.bottom ?? null };
    screen.draw(drawn.lines);
  };
  const say = (text: string) => {
    message = { text, until: performance.now() + MESSAGE_MS };
  };
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      say((toUserError(error) ?? (error as Error)).message);
      return undefined;
    }
  };
  const onInput = (text: string) => {
    let isStale = false;
    for (const key of parseKeys(text)) {
      // A key acts on what the keys before it brought to the screen; typed words need no frame each.
      if (isStale && ui.entry === null) draw();
      const answer = options.onKey(ui, key, drawn);
      const { action } = answer;
      if (!showsSame(ui, answer.ui)) drawn = { ...drawn, reading: null };
      isStale = ui !== answer.ui;
      ui = answer.ui;
      if (answer.message !== null) say(answer.message);
      if (action !== null) attempt(() => options.carryOut(action));
    }
    draw();
  };

  const desk = createDesk(
    { send: (sequence) => screen?.send(sequence), lend: async (program) => screen?.lend(program) },
    project,
    process.env,
    shorten,
  );
  return {
    open() {
      screen = openScreen({ input: process.stdin, output: process.stdout }, { onInput, onResize: draw }, pendingMs);
      draw();
    },
    ui: () => ui,
    change(to) {
      ui = { ...ui, ...to };
    },
    draw,
    told: () => message?.text ?? null,
    say,
    attempt,
    copy: () => say(desk.copy(drawn.copied)),
    edit() {
      const events = options.events(ui);
      void desk
        .edit(editTarget(ui, drawn.plan, events, drawn.places[0]?.seq), events)
        .then(
          (text) => text !== null && say(text),
          (error: unknown) => say((toUserError(error) ?? (error as Error)).message),
        )
        .then(draw);
    },
    close() {
      screen?.close();
      screen = null;
    },
  };
}
