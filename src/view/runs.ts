import type { RunReceipt } from "../core/run-receipt.ts";
import { STOPS } from "../core/stop.ts";
import { bytes, count, duration, money, tokens } from "./figures.ts";
import type { Style } from "./style.ts";
import { fit, oneLine } from "./text.ts";

/** `ralph runs`: one line for each run, oldest first, so that the newest stands above the next prompt. */
export function runLines(runs: readonly RunReceipt[], { style, width }: { style: Style; width: number }): string[] {
  if (runs.length === 0) return ["There is no run here yet.", style.dim("Start one with: ralph run")];
  const sum = runs.reduce((all, receipt) => all + receipt.bytes, 0);
  return [
    ...runs.map((receipt) => fit(runLine(receipt, style), width)),
    style.dim(`${count(runs.length, "run")}, ${bytes(sum)}`),
  ];
}

function runLine(receipt: RunReceipt, style: Style): string {
  const { status, stop_reason, iterations, cost_usd } = receipt;
  const ms = Math.max(0, Date.parse(receipt.ended_at) - Date.parse(receipt.started_at));
  const word = status === "live" ? "live" : status === "broken_off" ? "broke off" : (stop_reason ?? "");
  const figures = [
    count(iterations, "iteration"),
    duration(ms),
    receipt.tokens === 0 ? null : `${tokens(receipt.tokens)} tokens`,
    cost_usd === null ? null : money(cost_usd),
    receipt.driver === "" ? null : oneLine(receipt.driver),
  ].filter((figure) => figure !== null);
  return `${style.bold(receipt.run.slice(0, 4))}  ${style.dim(localMinute(receipt.started_at))}  ${paint(receipt, style)(word.padEnd(20))} ${figures.join(" · ")}`;
}

function paint({ status, stop_reason }: RunReceipt, style: Style): (text: string) => string {
  if (status === "live") return style.cyan;
  if (status === "broken_off" || stop_reason === null) return style.red;
  return STOPS[stop_reason].status === "completed" ? style.green : style.yellow;
}

function localMinute(iso: string): string {
  const at = new Date(iso);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
