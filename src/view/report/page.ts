import type { RalphEvent } from "../../core/journal/event.ts";
import type { IterationReceipt, Report } from "../../core/report/report-types.ts";
import { count } from "../../core/text/count.ts";
import type { Shorten } from "../text/path.ts";
import { charts } from "./charts.ts";
import { createEntryWindow, type EntryWindow, keptHtml } from "./entry-window.ts";
import { text } from "./html.ts";
import { iterationHead, kindsOf } from "./iteration-entry.ts";
import { summary } from "./summary.ts";
import { tables } from "./tables.ts";
import { createTranscript } from "./transcript.ts";

export type PageOptions = {
  style: string;
  script: string;
  /** SHA-256 of a text in base 64: the page allows only its own style and script. */
  hash(text: string): string;
  shorten: Shorten;
  /** The run is still going on. */
  live: boolean;
};

/** Maximum characters of the whole transcript; minimum and maximum of one iteration. */
const TRANSCRIPT_CHARS = 24_000_000;
const LEAST_CHARS = 8_000;
const MOST_CHARS = 400_000;

/**
 * A run as one HTML page without any other file or network access. It comes in pieces: memory holds at most one
 * iteration, whatever the length of the run.
 * @param events the events of the report, for a second pass
 */
export function* reportPage(report: Report, events: Iterable<RalphEvent>, options: PageOptions): Generator<string> {
  yield head(report, options);
  yield summary(report, options.live);
  yield charts(report);
  yield tables(report);
  yield filterBar(report);
  yield `<section id="iterations" aria-label="Iterations">\n`;
  yield* iterations(report, events, options);
  yield `</section>\n<p id="nothing" hidden>Nothing matches.</p>\n</main>\n</div>\n<script>${options.script}</script>\n</body>\n</html>\n`;
}

function head(report: Report, { style, script, hash }: PageOptions): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash(style)}'; script-src 'sha256-${hash(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${text(report.title)} · ralph run ${text(report.run)}</title>
<style>${style}</style>
</head>
<body>
<div class="page">
`;
}

const FILTERS = [
  ["progress", "progress"],
  ["idle", "idle"],
  ["denied", "denied"],
  ["failed", "failed"],
  ["red", "red gate"],
  ["ticked", "ticked a box"],
] as const;

/** The filters, each with its count of iterations. */
function filterBar({ iterations: rows }: Report): string {
  const kinds = rows.map(kindsOf);
  const chips = FILTERS.map(([kind, name]) => {
    const holds = kinds.filter((all) => all.includes(kind)).length;
    return holds === 0
      ? ""
      : `<button type="button" data-filter="${kind}" aria-pressed="false">${name} <small>${holds}</small></button>`;
  });
  return `<div class="filter" role="search"${rows.length === 0 ? " hidden" : ""}><h2 class="unseen">Iterations</h2><input id="search" type="search" placeholder="Search ${count(rows.length, "iteration")}  ( / )" aria-keyshortcuts="/" aria-label="Search iterations" autocomplete="off" spellcheck="false"><div class="chips"><button type="button" data-filter="" aria-pressed="true">all</button>${chips.join("")}</div><span id="count" aria-live="polite"></span><button type="button" id="fold">unfold all</button></div>\n`;
}

function* iterations(
  { iterations: rows, run }: Report,
  events: Iterable<RalphEvent>,
  { shorten, live }: PageOptions,
): Generator<string> {
  const headOf = (row: IterationReceipt) => iterationHead(row, shorten, live);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const budget = Math.min(MOST_CHARS, Math.max(LEAST_CHARS, Math.floor(TRANSCRIPT_CHARS / Math.max(1, rows.length))));
  const transcript = createTranscript(shorten);
  let current = 0;
  const rowNow = () => byNumber.get(current) ?? null;
  let window = createEntryWindow(budget);
  for (const event of events) {
    if (event.type === "iteration_started" && event.number !== current) {
      for (const entry of transcript.rest()) window.add(entry);
      yield* section(rowNow(), window, run, headOf);
      current = event.number;
      window = createEntryWindow(budget);
    }
    for (const entry of transcript.entries(event)) window.add(entry);
  }
  for (const entry of transcript.rest()) window.add(entry);
  yield* section(rowNow(), window, run, headOf);
}

/** Entries from before the first iteration stand unfolded above it. */
function* section(
  row: IterationReceipt | null,
  window: EntryWindow,
  run: string,
  headOf: (row: IterationReceipt) => string,
): Generator<string> {
  const logs = `ralph logs ${text(run)}${row === null ? "" : ` --iteration ${row.number}`}`;
  const entries = keptHtml(window.kept(), `; see them with: ${logs}`);
  if (row === null) yield entries === "" ? "" : `<div class="before">${entries}</div>\n`;
  else yield `${headOf(row)}<div class="transcript">${entries}</div></div></details>\n`;
}
