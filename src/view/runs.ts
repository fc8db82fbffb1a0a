import type { RunReceipt } from "../core/report/run-receipt.ts";
import { taskTitle } from "../core/run-title.ts";
import { stopTone } from "../core/stop/stop-tone.ts";
import { count } from "../core/text/count.ts";
import { START_RUN_HINT } from "../core/text/hints.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { bytes, duration, spent, tokenCount } from "./text/figures.ts";
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
    style.dim(`${count(runs.length, "run")}, ${bytes(sum)}`),
  ];
}

function runShown(receipt: RunReceipt, { style, width, now }: RunsOptions): string[] {
  const { status, stop_reason, iterations, cost_usd } = receipt;
  const { started_at, display_name } = receipt;
  const ended_at = status === "live" ? now : receipt.ended_at;
  const word = status === "live" ? "live" : status === "broken_off" ? "broke off" : (stop_reason ?? "");
  const figures = [
    receipt.started_by === "import" ? count(receipt.calls, "call") : count(iterations, "iteration"),
    started_at === null || ended_at === null ? null : duration(Date.parse(ended_at) - Date.parse(started_at)),
    receipt.tokens === 0 ? null : tokenCount(receipt.tokens),
    spent(cost_usd),
    display_name === null ? null : singleLine(display_name),
  ].filter((figure) => figure !== null);
  const when = style.dim(started_at === null ? "?".padEnd(16) : localMinute(started_at));
  const head = `${style.bold(receipt.run.split("-")[0] ?? "")}  ${when}  `;
  const tone = paint(receipt, style);
  const line = `${head}${tone(word.padEnd(20))} ${figures.join(" · ")}`;
  const title = taskTitle(receipt.task);
  const named = title === null ? [] : [fit(`${" ".repeat(INDENT)}${title}`, width)];
  if (columns(line) <= width) return [line, ...named];
  const below = wrap(figures.join(" · "), width - INDENT).map((text) => `${" ".repeat(INDENT)}${text}`);
  return [fit(`${head}${tone(word)}`, width), ...below, ...named];
}

/** A run on one line, cut to the width. */
export function runLine(receipt: RunReceipt, { style, width, now }: RunsOptions): string {
  const [line = "", ...below] = runShown(receipt, { style, width: Number.POSITIVE_INFINITY, now });
  return fit([line, ...below.map((text) => text.trim())].join("  "), width);
}

function paint({ status, stop_reason, exit_code }: RunReceipt, style: Style): (text: string) => string {
  if (status === "live") return style.cyan;
  if (status === "broken_off" || stop_reason === null) return style.red;
  const tone = stopTone(stop_reason, exit_code);
  return { good: style.green, calm: (text: string) => text, warn: style.yellow, bad: style.red }[tone];
}

function localMinute(iso: string): string {
  const at = new Date(iso);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
