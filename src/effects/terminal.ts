/** Lines that stay, above a footer that is drawn anew in place. */
export type Printer = {
  lines(lines: readonly string[]): void;
  footer(lines: readonly string[]): void;
  /** Takes the footer away; to be called on every way out. */
  close(): void;
};

export type Output = { write(text: string): unknown };

const CLEAR_LINE = "\u001b[2K";

/** A printer without footer, for pipes and files. */
export function plainPrinter(output: Output): Printer {
  return {
    lines: (lines) => {
      if (lines.length > 0) output.write(`${lines.join("\n")}\n`);
    },
    footer: () => {},
    close: () => {},
  };
}

/**
 * A printer for a terminal. Every change is one write, so that nothing flickers; a footer that did not change is not drawn.
 * Footer lines must not be wider than the terminal.
 */
export function terminalPrinter(output: Output): Printer {
  let shown: readonly string[] = [];
  const erase = () =>
    shown.length === 0 ? "" : `\r${CLEAR_LINE}${`\u001b[1A${CLEAR_LINE}`.repeat(shown.length - 1)}\r`;
  return {
    lines(lines) {
      if (lines.length === 0) return;
      output.write(`${erase()}${lines.join("\n")}\n${shown.join("\n")}`);
    },
    footer(lines) {
      if (lines.length === shown.length && lines.every((line, index) => line === shown[index])) return;
      const text = `${erase()}${lines.join("\n")}`;
      shown = lines;
      output.write(text);
    },
    close() {
      const text = erase();
      shown = [];
      if (text !== "") output.write(text);
    },
  };
}
