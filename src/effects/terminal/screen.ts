import { writeSync } from "node:fs";
import process from "node:process";
import { StringDecoder } from "node:string_decoder";
import { hangUpOnEnd } from "./hang-up.ts";

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
  output: NodeJS.WriteStream & { fd: number };
};

const ESC = "\u001b[";
/** Alternate screen, no cursor, no wrapping at the margin, and what is pasted marked as such. */
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l${ESC}?2004h${ESC}2J`;
const LEAVE = `${ESC}?2004l${ESC}?7h${ESC}?25h${ESC}?1049l`;
/** Terminals that know this show a frame at once; others ignore it. */
const BEGIN_FRAME = `${ESC}?2026h`;
const END_FRAME = `${ESC}?2026l`;
const CTRL_Z = "\u001a";

/**
 * Takes the terminal over. It is given back by `close` and, whatever happens, when the process exits.
 * @param awaited for how many ms the rest of what was typed is waited for; 0 where it is whole
 */
export function openScreen(
  { input, output }: Terminal,
  { onInput, onResize }: ScreenEvents,
  awaited: (text: string) => number,
): Screen {
  let shown: string[] = [];
  let open = true;
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** What is pasted comes in pieces, which end anywhere. */
  const decoder = new StringDecoder("utf8");

  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = pending;
    pending = "";
    if (text !== "") onInput(text);
  };
  const hear = (chunk: Buffer) => {
    pending += decoder.write(chunk);
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const ms = awaited(pending);
    if (ms > 0) {
      timer = setTimeout(flush, ms);
      return;
    }
    const stops = pending.endsWith(CTRL_Z);
    flush();
    if (stops) suspend();
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
  /** Ctrl+Z, of which a terminal that is read key by key makes no signal. */
  const suspend = () => {
    if (process.platform === "win32" || !open) return;
    giveBack({ input, output });
    process.kill(0, "SIGTSTP");
    // Here again when it was woken, or where there is nobody who could wake it and the signal is lost.
    input.resume();
    goOn();
  };
  const close = () => {
    if (!open) return;
    open = false;
    flush();
    input.off("data", hear);
    unwatch();
    output.off("resize", redraw);
    process.off("SIGCONT", goOn);
    process.off("exit", close);
    process.off("uncaughtException", fail);
    giveBack({ input, output });
  };

  /** What is printed about a failure must not go to a screen that vanishes. */
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
  input.on("data", hear);
  output.on("resize", redraw);
  if (process.platform !== "win32") process.on("SIGCONT", goOn);
  process.on("exit", close);
  process.on("uncaughtException", fail);
  return {
    size: () => ({ columns: output.columns, rows: output.rows }),
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
function giveBack({ input, output }: Terminal): void {
  try {
    input.setRawMode(false);
    input.pause();
    writeSync(output.fd, LEAVE);
  } catch {
    // The terminal is gone: there is nothing to give back.
  }
}
