import type { Report } from "../../core/report/report-types.ts";
import { text } from "../report/html.ts";
import { overview } from "../report/summary.ts";
import { tables } from "../report/tables.ts";

/** A run as it was at a time: figures and plan, and what the agent said and did last. */
export function thenPage(
  report: Report,
  { head, left, tail }: { head: string[]; left: number; tail: string[] },
): string {
  const last = report.iterations.at(-1);
  const gap = left === 0 ? [] : [`<p class="note gap">${left} entries are left out here.</p>`];
  const words = last === undefined ? "Before the first iteration" : `Iteration ${last.number}`;
  const name = last === undefined || last.name === null ? "" : ` · ${text(last.name)}`;
  return `${overview(report, report.stop_reason === null)}<h2>${words}${name}</h2><div class="transcript">${[...head, ...gap, ...tail].join("\n")}</div>${tables(report)}`;
}
