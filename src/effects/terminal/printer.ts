import process from "node:process";

/** Lines that stay, above a footer that is drawn anew in place. */
export type Printer = {
  /** Lines that stay, and the footer as it is then: one change of the screen. */
  print(lines: readonly string[], footer: readonly string[]): void;
  /** Takes the footer away; to be called on every way out. */
  close(): void;
};

export type TextOutput = { write(text: string): unknown };

const USUAL = { columns: 80, rows: 24 };

/**
 * A terminal that does not know its size, such as a serial line, says that it has none: everybody who asks this stream,
 * libraries too, is told a usual one, until the terminal is resized.
 */
export function assumeSize(output: NodeJS.WriteStream): void {
  if (output.columns === 0) output.columns = USUAL.columns;
  if (output.rows === 0) output.rows = USUAL.rows;
}

const ESC = "\u001b[";
const UP = `${ESC}1A`;
const ERASE_BELOW = `${ESC}J`;
/** For as long as the footer is written: a line that the terminal takes for wider than we do is cut, and stays one line. */
const NO_FOLDS = `${ESC}?7l`;
const FOLDS = `${ESC}?7h`;

/** A printer without footer, for pipes and files. */
export function plainPrinter(output: TextOutput): Printer {
  return {
    print: (lines) => {
      if (lines.length > 0) output.write(`${lines.join("\n")}\n`);
    },
    close: () => {},
  };
}

/**
 * A printer for a terminal. Every change is one write, so that nothing flickers; a footer that did not change is not drawn.
 * The cursor rests at the beginning of its last line: what is typed meanwhile stands on that line, and goes with it.
 * @param rowsOf how many rows a footer's line takes now: a terminal that became narrower has folded it
 */
export function terminalPrinter(output: TextOutput, rowsOf: (line: string) => number): Printer {
  let shown: readonly string[] = [];
  const erase = () => {
    const above = shown.slice(0, -1).reduce((rows, line) => rows + rowsOf(line), 0);
    return shown.length === 0 ? "" : `\r${UP.repeat(above)}${ERASE_BELOW}`;
  };
  const drawn = () => (shown.length === 0 ? "" : `${NO_FOLDS}${shown.join("\n")}\r${FOLDS}`);
  /** After Ctrl+Z and `fg` the footer stands somewhere above, and what is right above the cursor is the shell's. */
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
      output.write(before + lines.map((line) => `${line}\n`).join("") + drawn());
    },
    close() {
      process.off("SIGCONT", forget);
      const text = erase();
      shown = [];
      if (text !== "") output.write(text);
    },
  };
}
