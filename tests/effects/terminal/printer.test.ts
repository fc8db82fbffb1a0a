import { expect, test } from "bun:test";
import process from "node:process";
import { terminalPrinter } from "../../../src/effects/terminal/printer.ts";

/** A printer for a terminal of that width, and what was written since the last call. */
function onTerminal(size: { width: number }) {
  let written = "";
  const output = { write: (text: string) => (written += text) };
  const printer = terminalPrinter(output, (line) => Math.max(1, Math.ceil(line.length / size.width)));
  const since = () => {
    const text = written;
    written = "";
    return text;
  };
  return { printer, since };
}

const UP = "\u001b[1A";
const drawn = (text: string) => `\u001b[?7l${text}\r\u001b[?7h`;

test("permanent lines and the footer are one write, without wrapping", () => {
  const { printer, since } = onTerminal({ width: 80 });
  printer.print([], ["working", "status"]);
  expect(since()).toBe(drawn("working\nstatus"));
  printer.print(["done"], ["status"]);
  expect(since()).toBe(`\r${UP}\u001b[Jdone\n${drawn("status")}`);
  printer.close();
  expect(since()).toBe("\r\u001b[J");
});

test("an unchanged footer is not redrawn", () => {
  const { printer, since } = onTerminal({ width: 80 });
  printer.print([], ["status"]);
  since();
  printer.print([], ["status"]);
  expect(since()).toBe("");
  printer.close();
});

test("a line that a narrower terminal wrapped is erased completely", () => {
  const size = { width: 80 };
  const { printer, since } = onTerminal(size);
  printer.print([], ["x".repeat(70), "status"]);
  since();
  size.width = 30;
  printer.print([], ["status"]);
  expect(since()).toBe(`\r${UP.repeat(3)}\u001b[J${drawn("status")}`);
  printer.close();
});

test.skipIf(process.platform === "win32")("after a stop by the shell, none of the shell's lines is erased", () => {
  const { printer, since } = onTerminal({ width: 80 });
  printer.print([], ["working", "status"]);
  since();
  process.emit("SIGCONT", "SIGCONT");
  printer.print(["done"], ["status"]);
  expect(since()).toBe(`done\n${drawn("status")}`);
  printer.close();
});
