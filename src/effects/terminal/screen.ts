import { writeSync } from "node:fs";
import process from "node:process";
import { visibleControls } from "../../core/text/plain-text.ts";
import { hangUpOnEnd } from "./hang-up.ts";
import { joinTyped } from "./typed-input.ts";

/** A full-screen terminal. */
export type Screen = {
  size(): { columns: number; rows: number };
  /** Shows lines; writes only those that changed, in one write. */
  draw(lines: readonly string[]): void;
  /** Sends a sequence that shows nothing, such as text for the clipboard. */
  send(sequence: string): void;
  /** Hands the terminal to another program, until it ends. */
  lend(program: () => Promise<void>): Promise<void>;
  /** Restores the terminal. May be called twice. */
  close(): void;
};

export type ScreenEvents = {
  /** Input as the terminal sent it. */
  onInput(text: string): void;
  /** The size changed, or the program was stopped and continued: draw everything again. */
  onResize(): void;
};

export type Terminal = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream & { fd: number };
};

const ESC = "\u001b[";
/** Alternate screen, no cursor, no wrapping, bracketed paste, reports of wheel and clicks with numbers. */
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l${ESC}?2004h${ESC}?1000h${ESC}?1006h${ESC}2J`;
const LEAVE = `${ESC}?1006l${ESC}?1000l${ESC}?2004l${ESC}?7h${ESC}?25h${ESC}?1049l`;
/** Terminals with synchronized output show a frame at once; others ignore this. */
const BEGIN_FRAME = `${ESC}?2026h`;
const END_FRAME = `${ESC}?2026l`;
const CTRL_Z = "\u001a";

/**
 * Takes over the terminal. `close` restores it, and so does every exit of the process.
 * @param pendingMs how many ms to wait for the rest of incomplete input; 0 if it is complete
 */
export function openScreen(
  { input, output }: Terminal,
  { onInput, onResize }: ScreenEvents,
  pendingMs: (text: string) => number,
): Screen {
  let shown: string[] = [];
  let open = true;
  /** Another program has the terminal. */
  let lent = false;

  const typed = joinTyped((text) => {
    onInput(text);
    if (text.endsWith(CTRL_Z)) suspend();
  }, pendingMs);
  const redraw = () => {
    if (lent) return;
    shown = [];
    output.write(`${ESC}2J`);
    onResize();
  };
  const resume = () => {
    if (lent) return;
    input.setRawMode(true);
    output.write(ENTER);
    redraw();
  };
  /** In raw mode a terminal sends no signal for Ctrl+Z, so suspend here. */
  const suspend = () => {
    if (process.platform === "win32" || !open) return;
    restoreTerminal({ input, output });
    process.kill(0, "SIGTSTP");
    // Continues here after `fg`, or at once if no shell can stop the process and the signal is lost.
    input.resume();
    resume();
  };
  const close = () => {
    if (!open) return;
    open = false;
    typed.flush();
    input.off("data", typed.take);
    unwatch();
    output.off("resize", redraw);
    process.off("SIGCONT", resume);
    process.off("exit", close);
    process.off("uncaughtException", fail);
    if (!lent) restoreTerminal({ input, output });
  };

  /** Leave the alternate screen first, or the error message would vanish with it. */
  const fail = (error: unknown) => {
    close();
    setImmediate(() => {
      throw error;
    });
  };

  const unwatch = hangUpOnEnd(input);
  output.write(ENTER);
  input.setRawMode(true);
  input.resume();
  input.on("data", typed.take);
  output.on("resize", redraw);
  if (process.platform !== "win32") process.on("SIGCONT", resume);
  process.on("exit", close);
  process.on("uncaughtException", fail);
  return {
    size: () => ({ columns: output.columns, rows: output.rows }),
    draw(lines) {
      if (!open || lent) return;
      // Erase before writing: after a full-width line, erasing would hit its last character.
      const changes = lines.flatMap((line, row) =>
        line === shown[row] ? [] : [`${ESC}${row + 1};1H${ESC}2K${visibleControls(line)}${ESC}0m`],
      );
      for (let row = lines.length; row < shown.length; row += 1) changes.push(`${ESC}${row + 1};1H${ESC}K`);
      shown = [...lines];
      if (changes.length > 0) output.write(`${BEGIN_FRAME}${changes.join("")}${END_FRAME}`);
    },
    send: (sequence) => void (open && !lent && output.write(sequence)),
    async lend(program) {
      if (!open || lent) return;
      lent = true;
      input.off("data", typed.take);
      restoreTerminal({ input, output });
      try {
        await program();
      } finally {
        lent = false;
        if (open) {
          input.on("data", typed.take);
          input.resume();
          resume();
        }
      }
    },
    close,
  };
}

/** Writes to the descriptor directly: a stream loses its buffered output when the process exits. */
function restoreTerminal({ input, output }: Terminal): void {
  try {
    input.setRawMode(false);
    input.pause();
    writeSync(output.fd, LEAVE);
  } catch {
    // The terminal is gone: nothing to restore.
  }
}
