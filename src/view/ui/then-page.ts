import type { Report } from "../../core/report/report-types.ts";
import { type KeptEntries, keptHtml } from "../report/entry-window.ts";
import { text } from "../report/html.ts";
import { overview } from "../report/summary.ts";
import { tables } from "../report/tables.ts";

/** A run as it was at a time: figures and plan, and what the agent said and did last. */
export function thenPage(report: Report, entries: KeptEntries): string {
  const last = report.iterations.at(-1);
  const words = last === undefined ? "Before the first iteration" : `Iteration ${last.number}`;
  const name = last === undefined || last.name === null ? "" : ` · ${text(last.name)}`;
  return `${overview(report, report.stop_reason === null)}<h2>${words}${name}</h2><div class="transcript">${keptHtml(entries)}</div>${tables(report)}`;
}
