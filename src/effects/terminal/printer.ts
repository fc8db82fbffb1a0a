import process from "node:process";
import { visibleControls } from "../../core/text/plain-text.ts";

/** Prints permanent lines above a footer that is redrawn in place. */
export type Printer = {
  /** Prints permanent lines and the current footer: one update of the screen. */
  print(lines: readonly string[], footer: readonly string[]): void;
  /** Removes the footer; call it on every way out. */
  close(): void;
};

export type TextOutput = { write(text: string): unknown };

const USUAL = { columns: 80, rows: 24 };

/**
 * A terminal of unknown size, such as a serial line, reports 0. Sets the usual size on the stream, so libraries see it too,
 * until the terminal is resized.
 */
export function assumeSize(output: NodeJS.WriteStream): void {
  if (output.columns === 0) output.columns = USUAL.columns;
  if (output.rows === 0) output.rows = USUAL.rows;
}

const ESC = "\u001b[";
const UP = `${ESC}1A`;
const ERASE_BELOW = `${ESC}J`;
/** Wrapping is off while the footer is written: a line that the terminal considers too wide is cut, and stays one line. */
const WRAP_OFF = `${ESC}?7l`;
const WRAP_ON = `${ESC}?7h`;

/** A printer without a footer, for pipes and files. */
export function plainPrinter(output: TextOutput): Printer {
  return {
    print: (lines) => {
      if (lines.length > 0) output.write(`${visibleControls(lines.join("\n"))}\n`);
    },
    close: () => {},
  };
}

/**
 * A printer for a terminal. Each update is one write, to avoid flicker; an unchanged footer is not redrawn. The cursor stays
 * at the start of the footer's last line, so typed characters are erased with it.
 * @param rowsOf current height of a footer line in rows: a terminal that became narrower wraps it
 */
export function terminalPrinter(output: TextOutput, rowsOf: (line: string) => number): Printer {
  let shown: readonly string[] = [];
  const erase = () => {
    const above = shown.slice(0, -1).reduce((rows, line) => rows + rowsOf(line), 0);
    return shown.length === 0 ? "" : `\r${UP.repeat(above)}${ERASE_BELOW}`;
  };
  const drawn = () => (shown.length === 0 ? "" : `${WRAP_OFF}${shown.map(visibleControls).join("\n")}\r${WRAP_ON}`);
  /** After Ctrl+Z and `fg` the footer is somewhere above, and the lines right above the cursor are the shell's. */
  const forget = () => {
    shown = [];
  };
  if (process.platform !== "win32") process.on("SIGCONT", forget);
  return {
    print(lines, footer) {
      const isSame = footer.length === shown.length && footer.every((line, index) => line === shown[index]);
      if (lines.length === 0 && isSame) return;
      const before = erase();
      shown = footer;
      output.write(before + lines.map((line) => `${visibleControls(line)}\n`).join("") + drawn());
    },
    close() {
      process.off("SIGCONT", forget);
      const text = erase();
      shown = [];
      if (text !== "") output.write(text);
    },
  };
}
