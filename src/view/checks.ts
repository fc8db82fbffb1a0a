import type { CheckResult } from "../core/report/check-result.ts";
import type { Style } from "./text/style.ts";
import { wrap } from "./text/text.ts";

/** The mark, and the blanks around the label. */
const GAPS = 3;
const MIN_ROOM = 20;

/** A check on one line, with its fix below. Sentences are folded, and commands never are. */
export function checkLines(result: CheckResult, options: { style: Style; width: number; labels: number }): string[] {
  const { style, width, labels } = options;
  const mark = result.passed ? style.green("✓") : result.required ? style.red("✗") : style.yellow("!");
  const room = Math.max(MIN_ROOM, width - labels - GAPS);
  const detail = wrapped(result.detail, room).map((line) => (result.passed ? style.dim(line) : line));
  const hint = (result.hint?.split("\n") ?? []).flatMap((line) => (isSentence(line) ? wrap(line, room) : line));
  const [first = "", ...more] = detail;
  const below = [...more, ...hint.map(style.cyan)].map((line) => `${" ".repeat(labels + GAPS)}${line}`);
  return [`${mark} ${result.label.padEnd(labels)} ${first}`, ...below];
}

/** A folded command could not be copied, nor could a table's row be read. */
function isSentence(line: string): boolean {
  return /^[A-Z][a-z]* /.test(line) && !line.includes("  ");
}

function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrap(line, width));
}

/** Width of the column of labels. */
export function labelWidth(results: readonly CheckResult[]): number {
  return Math.max(...results.map(({ label }) => label.length));
}
