import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { foldsCase } from "../../core/project-path.ts";
import { createReportBuilder } from "../../core/report/build-report.ts";
import type { Report } from "../../core/report/report-types.ts";
import { JOURNAL_FILE, readJournal } from "../../effects/journal/journal-read.ts";
import { createEntryWindow, type KeptEntries } from "../../view/report/entry-window.ts";
import { createTranscript } from "../../view/report/transcript.ts";
import { shortener } from "../../view/text/path.ts";
import { thenPage } from "../../view/ui/then-page.ts";

/** The server answers others after so many bytes of a long journal. */
const TURN_BYTES = 8 * 1024 * 1024;
/** Characters of what the agent said and did in the iteration of that time. */
const TRANSCRIPT_CHARS = 60_000;
const foldCase = foldsCase(process.platform);

/** A run as it was at a time, and the times between which it can be asked for, in ms since 1970. */
export type Then = { from: number; to: number; at: number; html: string };

/**
 * Replays a run up to a time: the same fold as ever, over the beginning of its journal.
 * @param at ms since 1970; null for its end
 * @param isGone whether nobody waits for the answer any more
 * @throws RalphError `environment` if the journal has no event that can be read
 */
export async function runThen(
  project: string,
  run: string,
  at: number | null,
  isGone: () => boolean,
): Promise<Then | null> {
  const path = join(project, ".ralph", "runs", run, JOURNAL_FILE);
  const shorten = shortener(project, foldCase);
  const builder = createReportBuilder({ foldCase });
  let [transcript, window] = [createTranscript(shorten), createEntryWindow(TRANSCRIPT_CHARS)];
  let then: { report: Report; entries: KeptEntries } | null = null;
  let [from, to, turn] = [Number.NaN, Number.NaN, TURN_BYTES];
  const take = (event: RalphEvent) => {
    builder.take(event);
    if (event.type === "iteration_started" && event.call === 1)
      [transcript, window] = [createTranscript(shorten), createEntryWindow(TRANSCRIPT_CHARS)];
    for (const entry of transcript.entries(event)) window.add(entry);
  };
  const keep = () => ({ report: builder.soFar(new Date(at ?? to).toISOString()), entries: window.kept() });
  for (const line of readJournal(path)) {
    if (line.end > turn) {
      turn = line.end + TURN_BYTES;
      await setImmediate();
      if (isGone()) return null;
    }
    if (!("event" in line)) continue;
    const time = Date.parse(line.event.at);
    if (Number.isNaN(from)) from = time;
    // What is later counts only for the end of the slider.
    if (at !== null && time > at && Number.isFinite(to)) then ??= keep();
    to = time;
    if (then === null) take(line.event);
  }
  if (Number.isNaN(from)) throw new RalphError("environment", "This run has no event that can be read.");
  const { report, entries } = then ?? keep();
  const when = Math.min(Math.max(at ?? to, from), to);
  return { from, to, at: when, html: thenPage(report, entries) };
}
