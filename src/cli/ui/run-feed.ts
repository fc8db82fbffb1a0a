import { statSync } from "node:fs";
import { join } from "node:path";
import { foldsCase } from "../../core/project-path.ts";
import { reasonOf } from "../../core/system-error.ts";
import { systemClock } from "../../effects/clock.ts";
import { JOURNAL_FILE } from "../../effects/journal/journal-read.ts";
import type { EventStream } from "../../effects/ui/event-stream.ts";
import { iterationLine, iterationReceipt } from "../../view/report/iteration-entry.ts";
import { shortener } from "../../view/text/path.ts";
import { statusNow } from "../show/status-now.ts";
import { iterationText } from "./iteration-text.ts";
import { createRunFigures, type RunFigures } from "./run-figures.ts";
import { createRunReading } from "./run-reading.ts";

const LOOK_MS = 250;
const ROWS_AT_ONCE = 200;
const foldCase = foldsCase(process.platform);
const wholePath = (path: string) => path;

export type RunFeed = {
  /**
   * Sends a page what it does not have, and then what happens.
   * @param after the last event that it has; 0 for none
   * @returns ends that
   */
  join(stream: EventStream, after: number): () => void;
  /**
   * Text and tools of an iteration, and the number of the last event in them.
   * @param wholePaths paths as they are, not shortened
   * @param from where it begins in the journal, or before that
   * @param after only what came after this event; 0 for all of it
   */
  transcript(number: number, wholePaths: boolean, from: number, after: number): { html: string; seq: number };
  /** Where an iteration begins in the journal, and how many bytes it has; from 0 to the end as long as that is not known. */
  placeOf(number: number): { from: number; bytes: number };
  /** Those of all iterations, one after the other, once the journal is read. */
  transcripts(wholePaths: boolean): Promise<Iterable<{ number: number; html: string }>>;
};

/**
 * One run for all pages that show it.
 * @param onEmpty called when nobody watches any more
 */
export function createRunFeed(project: string, run: string, onEmpty: () => void): RunFeed {
  const journal = join(project, ".ralph", "runs", run, JOURNAL_FILE);
  const shorten = shortener(project, foldCase);
  const reading = createRunReading({ project, journal, shorten, foldCase });
  const draw = createRunFigures(project, run);
  /** Those that have all that was before. */
  const streams = new Set<EventStream>();
  /** They, and those that are still being sent it. */
  let readers = 0;
  let drawn: RunFigures = { head: "", now: "", overview: "" };
  let timer: ReturnType<typeof setInterval> | null = null;

  /** The folded line of each changed iteration, and what is shown of it beside its text once it is unfolded. */
  function rows(after: number, before?: number): [line: string, receipt: string][] {
    const live = isLive();
    return reading
      .changed(after, before)
      .map((row) => [`${iterationLine(row, shorten, live)}</details>`, iterationReceipt(row)]);
  }

  function isLive(): boolean {
    try {
      return statusNow(project, reading.facts().state, systemClock.now()).pid !== null;
    } catch {
      return false; // its plan or lock is no file that can be read: what is drawn of it says so
    }
  }

  function look(): void {
    let fault: string | null = null;
    try {
      sendNew();
    } catch (error) {
      fault = reasonOf(error);
    }
    try {
      const html = draw(reading, fault);
      for (const stream of streams) send(stream, html, drawn);
      drawn = html;
    } catch (error) {
      for (const stream of streams) stream.send("fault", reasonOf(error));
    }
  }

  function sendNew(): void {
    const before = reading.facts().seq;
    const entries = reading.readNew();
    const { seq } = reading.facts();
    if (seq === before) return;
    const changed = rows(before);
    for (const stream of streams) {
      stream.send("rows", changed, seq);
      for (const [number, html] of entries) stream.send("entries", { number, html: html.join(""), seq }, seq);
    }
  }

  function joined(stream: EventStream, after: number): () => void {
    let isHere = true;
    let sent = after;
    readers += 1;

    async function sendRows(before?: number): Promise<void> {
      const all = rows(sent, before);
      sent = before === undefined ? reading.facts().seq : before - 1;
      for (let at = 0; at < all.length && isHere; at += ROWS_AT_ONCE) {
        stream.send("rows", all.slice(at, at + ROWS_AT_ONCE));
        await stream.drained();
      }
    }

    async function begin(): Promise<void> {
      // What cannot be read is told by the look that follows.
      const whole = reading.whole().catch(() => {});
      // A page that has nothing yet gets the first iterations while the others are still read.
      while (after === 0 && isHere && (await reading.nextPart())) await sendRows(reading.facts().beganAt);
      await whole;
      if (!isHere) return;
      look();
      const first = drawn;
      send(stream, first, null);
      // A page that knows more events than there are has seen another journal.
      if (sent > reading.facts().seq) sent = 0;
      // A long run is sent piece by piece; what changes meanwhile is sent after it.
      do await sendRows();
      while (sent < reading.facts().seq && isHere);
      if (!isHere) return;
      send(stream, drawn, first);
      const { state, seq } = reading.facts();
      stream.send("caught_up", { iteration: state.iteration }, seq);
      streams.add(stream);
      timer ??= setInterval(look, LOOK_MS);
    }

    begin().catch((error: unknown) => stream.send("fault", reasonOf(error)));
    return () => {
      if (!isHere) return;
      isHere = false;
      readers -= 1;
      streams.delete(stream);
      if (readers > 0) return;
      if (timer !== null) clearInterval(timer);
      timer = null;
      onEmpty();
    };
  }

  const transcript: RunFeed["transcript"] = (number, wholePaths, from, after) =>
    iterationText(journal, number, { from, after, shorten: wholePaths ? wholePath : shorten });

  return {
    join: joined,
    transcript,
    placeOf(number) {
      const from = reading.begins.get(number) ?? 0;
      const to = reading.begins.get(number + 1) ?? statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
      return { from, bytes: to - from };
    },
    async transcripts(wholePaths) {
      await reading.whole();
      return (function* () {
        for (const [number, from] of reading.begins)
          yield { number, html: transcript(number, wholePaths, from, 0).html };
      })();
    },
  };
}

/** @param before what the page has; null for nothing */
function send(stream: EventStream, html: RunFigures, before: RunFigures | null): void {
  if (html.head !== before?.head) stream.send("head", html.head);
  if (html.now !== before?.now) stream.send("now", html.now);
  if (html.overview !== before?.overview) stream.send("overview", html.overview);
}
