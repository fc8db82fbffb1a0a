import type { RunReceipt } from "../core/report/run-receipt.ts";
import { taskTitle } from "../core/run-title.ts";
import { stopTone } from "../core/stop/stop-tone.ts";
import { byteSize } from "../core/text/byte-size.ts";
import { count } from "../core/text/count.ts";
import { START_RUN_HINT } from "../core/text/hints.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { localDay, localMinute } from "../core/text/time-text.ts";
import { cost, duration, tokenCount } from "./text/figures.ts";
import { endPaint, endWords } from "./text/marks.ts";
import type { Style } from "./text/style.ts";
import { columns, fit, wrap } from "./text/text.ts";

/** `now`: ISO time; a live run's duration counts up to it. */
export type RunsOptions = { style: Style; width: number; now: string };

const INDENT = 6;

/** `ralph runs`: one line per run if there is room, oldest first, which puts the newest above the next shell prompt. */
export function runLines(runs: readonly RunReceipt[], options: RunsOptions): string[] {
  const { style } = options;
  if (runs.length === 0) return ["There is no run here yet.", style.dim(START_RUN_HINT)];
  const sum = runs.reduce((all, receipt) => all + receipt.bytes, 0);
  return [
    ...runs.flatMap((receipt) => runShown(receipt, options)),
    style.dim(`${count(runs.length, "run")}, ${byteSize(sum)}`),
  ];
}

function runShown(receipt: RunReceipt, options: RunsOptions): string[] {
  const { width } = options;
  const { head, word, figures, title } = runParts(receipt, options);
  const line = `${head}${word(22)} ${figures}`;
  const named = title === null ? [] : [fit(`${" ".repeat(INDENT)}${title}`, width)];
  if (columns(line) <= width) return [line, ...named];
  const below = wrap(figures, width - INDENT).map((text) => `${" ".repeat(INDENT)}${text}`);
  return [fit(`${head}${word(0)}`, width), ...below, ...named];
}

/** A run on one line, cut to the width. */
export function runLine(receipt: RunReceipt, options: RunsOptions): string {
  const { head, word, figures, title } = runParts(receipt, options);
  return fit([`${head}${word(0)}`, ...(title === null ? [] : [title]), figures].join("  "), options.width);
}

function runParts(receipt: RunReceipt, { style, now }: RunsOptions) {
  const { status, stop_reason, iterations } = receipt;
  const { started_at, display_name } = receipt;
  const ended_at = status === "live" ? now : receipt.ended_at;
  const state =
    status === "live" ? "● live" : endWords(status === "broken_off" ? null : stop_reason, receipt.exit_code);
  const work = receipt.started_by === "import" ? count(receipt.calls, "call") : count(iterations, "iteration");
  const figures = [
    receipt.started_by === "land" ? null : work,
    started_at === null || ended_at === null ? null : duration(Date.parse(ended_at) - Date.parse(started_at)),
    receipt.tokens === 0 ? null : tokenCount(receipt.tokens),
    cost(receipt),
    display_name === null || display_name === "" ? null : singleLine(display_name),
  ].filter((figure) => figure !== null);
  const when = style.dim(started_at === null ? "?".padEnd(16) : dayAndMinute(started_at));
  return {
    head: `${style.bold(receipt.run.split("-")[0] ?? "")}  ${when}  `,
    word: (width: number) => paint(receipt, style)(state.padEnd(width)),
    figures: figures.join(" · "),
    title: taskTitle(receipt.task),
  };
}

function paint({ status, stop_reason, exit_code }: RunReceipt, style: Style): (text: string) => string {
  if (status === "live") return style.cyan;
  if (status === "broken_off" || stop_reason === null) return style.red;
  return endPaint(stopTone(stop_reason, exit_code), style);
}

function dayAndMinute(iso: string): string {
  const at = Date.parse(iso);
  return `${localDay(at)} ${localMinute(at)}`;
}
