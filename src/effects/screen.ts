import { writeSync } from "node:fs";
import process from "node:process";

/** A terminal taken over as a whole. */
export type Screen = {
  size(): { columns: number; rows: number };
  /** Shows lines, of which only those that differ from the last ones are written, all in one write. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was. May be called twice. */
  close(): void;
};

export type ScreenEvents = {
  /** What was typed, as the terminal sent it. */
  onInput(text: string): void;
  /** The size changed, or the program was stopped and goes on: everything has to be drawn again. */
  onResize(): void;
};

export type Terminal = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
};

const ESC = "\u001b[";
/** Alternate screen, no cursor, no wrapping at the margin. */
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l${ESC}2J`;
const LEAVE = `${ESC}?7h${ESC}?25h${ESC}?1049l`;
/** Terminals that know this show a frame at once; others ignore it. */
const BEGIN_FRAME = `${ESC}?2026h`;
const END_FRAME = `${ESC}?2026l`;
/** What is left of an escape sequence comes within this time, or it was the key itself. */
const SEQUENCE_MS = 30;
const STDOUT = 1;

/**
 * Takes the terminal over. It is given back by `close` and, whatever happens, when the process exits.
 * @param isUnfinished whether a text may be the beginning of an escape sequence
 */
export function openScreen(
  { input, output }: Terminal,
  { onInput, onResize }: ScreenEvents,
  isUnfinished: (text: string) => boolean,
): Screen {
  let shown: string[] = [];
  let open = true;
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = pending;
    pending = "";
    if (text !== "") onInput(text);
  };
  const hear = (chunk: Buffer | string) => {
    pending += chunk.toString();
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (isUnfinished(pending)) timer = setTimeout(flush, SEQUENCE_MS);
    else flush();
  };
  const redraw = () => {
    shown = [];
    output.write(`${ESC}2J`);
    onResize();
  };
  const goOn = () => {
    input.setRawMode(true);
    output.write(ENTER);
    redraw();
  };
  const close = () => {
    if (!open) return;
    open = false;
    flush();
    input.off("data", hear);
    output.off("resize", redraw);
    process.off("SIGCONT", goOn);
    process.off("exit", close);
    process.off("uncaughtException", fail);
    giveBack(input);
  };

  /** What is printed about a failure must not go to a screen that vanishes. */
  const fail = (error: unknown) => {
    close();
    setImmediate(() => {
      throw error;
    });
  };

  output.write(ENTER);
  input.setRawMode(true);
  input.resume();
  input.on("data", hear);
  output.on("resize", redraw);
  if (process.platform !== "win32") process.on("SIGCONT", goOn);
  process.on("exit", close);
  process.on("uncaughtException", fail);
  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    draw(lines) {
      if (!open) return;
      // Erased before it is written: behind a line of full width there is nothing left to erase but its last character.
      const changes = lines.flatMap((line, row) =>
        line === shown[row] ? [] : [`${ESC}${row + 1};1H${ESC}2K${line}${ESC}0m`],
      );
      for (let row = lines.length; row < shown.length; row += 1) changes.push(`${ESC}${row + 1};1H${ESC}K`);
      shown = [...lines];
      if (changes.length > 0) output.write(`${BEGIN_FRAME}${changes.join("")}${END_FRAME}`);
    },
    close,
  };
}

/** Written past the stream, since nothing that a stream still holds is written once the process exits. */
function giveBack(input: NodeJS.ReadStream): void {
  try {
    input.setRawMode(false);
    input.pause();
    writeSync(STDOUT, LEAVE);
  } catch {
    // The terminal is gone: there is nothing to give back.
  }
}
