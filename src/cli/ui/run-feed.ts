import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { reduce } from "../../core/journal/reduce.ts";
import { initialState } from "../../core/journal/state.ts";
import { foldsCase } from "../../core/project-path.ts";
import { createReportBuilder } from "../../core/report/build-report.ts";
import { reasonOf } from "../../core/system-error.ts";
import { steadyClock, systemClock } from "../../effects/clock.ts";
import { JOURNAL_FILE, newestRun, readJournal } from "../../effects/journal/journal-read.ts";
import { isWords } from "../../effects/journal/line-filter.ts";
import type { EventStream } from "../../effects/ui/event-stream.ts";
import { charts } from "../../view/report/charts.ts";
import { createEntryWindow, keptHtml } from "../../view/report/entry-window.ts";
import { iterationLine, iterationReceipt } from "../../view/report/iteration-entry.ts";
import { overview, title } from "../../view/report/summary.ts";
import { tables } from "../../view/report/tables.ts";
import { createTranscript } from "../../view/report/transcript.ts";
import { shortener } from "../../view/text/path.ts";
import { runNow } from "../../view/ui/run-now.ts";
import { nextAfter } from "../show/project-next.ts";
import { statusNow } from "../show/status-now.ts";

const LOOK_MS = 250;
/** Which run is the newest is in a folder of all of them, maybe thousands. */
const NEWEST_MS = 1000;
/** Figures and charts of a long run are large: they are drawn at most so often, and seldom while nothing but time passes. */
const OVERVIEW_MS = 1000;
const SAME_OVERVIEW_MS = 10_000;
/** The server answers others after so many bytes of a long journal. */
const TURN_BYTES = 1 << 20;
/** A page gets what was read since, after so many bytes, and of a longer journal after a part of what it has. */
const PART_BYTES = 2 << 20;
const PART = 1 / 8;
const ROWS_AT_ONCE = 200;
/** Characters of one iteration's text and tools on the page. */
const TRANSCRIPT_CHARS = 400_000;
const foldCase = foldsCase(process.platform);

export type RunFeed = {
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
 * One run for all pages that show it. Results are kept, words are not: memory grows with the iterations, not with the journal.
 * @param onEmpty called when nobody watches any more
 */
export function createRunFeed(project: string, run: string, onEmpty: () => void): RunFeed {
  const path = join(project, ".ralph", "runs", run, JOURNAL_FILE);
  const shorten = shortener(project, foldCase);
  const streams = new Set<EventStream>();
  /** Those in `streams`, and those that are still being sent what was before. */
  let readers = 0;
  const offsets = new Map<number, number>();
  const changedAt = new Map<number, number>();
  let builder = createReportBuilder({ foldCase });
  let transcript = createTranscript(shorten);
  let state = initialState(project);
  let end = 0;
  /** Where the journal ended at the last look: beyond `end`, if a line is not whole yet. */
  let seen = 0;
  let seq = 0;
  /** The event with which the newest iteration began. */
  let beganAt = 0;
  let bad = 0;
  let fault: string | null = null;
  let tag: string | null = null;
  let drawn = { head: "", now: "", overview: "" };
  let drawnAt = 0;
  let newest = { isThis: true, lookedAt: Number.NEGATIVE_INFINITY };
  /** What the overview was drawn of. */
  let drawnOf = "";
  let timer: ReturnType<typeof setInterval> | null = null;
  let turned = Promise.withResolvers<void>();
  let isWhole = false;

  const take = (event: RalphEvent, at: number) => {
    if (event.type === "iteration_started") {
      if (!offsets.has(event.number)) offsets.set(event.number, at);
      beganAt = event.seq;
    }
    if (event.iteration > 0) changedAt.set(event.iteration, event.seq);
    if (event.type === "git_step" && event.result === "done") tag = event.tag ?? tag;
    seq = event.seq;
    builder.take(event);
  };

  async function readWhole(): Promise<void> {
    let [turn, part] = [TURN_BYTES, PART_BYTES];
    /** Begin of a line that is not far from the end. */
    let [before, last] = [0, 0];
    for (const line of readJournal(path, 0, isWords)) {
      if ("event" in line) {
        take(line.event, end);
        if (!isDeed(line.event)) state = reduce(state, line.event);
      } else bad += 1;
      end = line.end;
      if (end < turn) continue;
      turn = end + TURN_BYTES;
      [before, last] = [last, end];
      if (end >= part) {
        part = end + Math.max(PART_BYTES, end * PART);
        turned.resolve();
        turned = Promise.withResolvers();
      }
      await setImmediate();
    }
    // A tool that is under way is shown when its result comes: the transcript and the state have to know of its start.
    const { updated_at } = state;
    for (const line of readJournal(path, Math.max(offsets.get(state.iteration) ?? 0, before))) {
      if (!("event" in line) || line.event.iteration !== state.iteration) continue;
      transcript.entries(line.event);
      if (isDeed(line.event)) state = reduce(state, line.event);
    }
    state = { ...state, seq, updated_at };
  }

  function* iterationEvents(number: number, from: number): Generator<RalphEvent> {
    let isIn = false;
    for (const line of readJournal(path, from)) {
      if (!("event" in line)) continue;
      const { event } = line;
      if (event.type === "iteration_started") {
        if (isIn && event.number !== number) return;
        isIn = event.number === number;
      }
      if (isIn) yield event;
    }
  }

  const isLive = () => {
    try {
      return statusNow(project, state, systemClock.now()).pid !== null;
    } catch {
      return false; // its plan or lock is no file that can be read: what is drawn of it says so
    }
  };

  /** The folded line of each, and what is shown of it beside its text once it is unfolded. @param before without those that changed with this event or later */
  const rowsAfter = (after: number, before = Number.POSITIVE_INFINITY): [line: string, receipt: string][] => {
    const live = isLive();
    const isAsked = (at: number) => at > after && at < before;
    return builder
      .iterations()
      .filter(({ number }) => isAsked(changedAt.get(number) ?? 0))
      .map((row) => [`${iterationLine(row, shorten, live)}</details>`, iterationReceipt(row)]);
  };

  const draw = () => {
    const now = systemClock.now();
    const at = steadyClock.now();
    const status = statusNow(project, state, now);
    if (at - newest.lookedAt >= NEWEST_MS)
      newest = { isThis: newestRun(join(project, ".ralph", "runs")) === run, lookedAt: at };
    const isNewest = newest.isThis;
    const live = status.pid !== null;
    const told = runNow(status, { isNewest, badLines: bad, fault, tag, now });
    const of = JSON.stringify([seq, live, isNewest]);
    if (drawn.overview !== "" && at - drawnAt < (of === drawnOf ? SAME_OVERVIEW_MS : OVERVIEW_MS))
      return { ...drawn, now: told };
    [drawnAt, drawnOf] = [at, of];
    const report = live ? builder.soFar() : builder.end();
    // What needs a person stands in its own part, where it can be answered.
    report.next = isNewest ? nextAfter(project, { state, alive: live }, now) : null;
    return {
      head: `${title(report)}</header>`,
      now: told,
      overview: overview(report, live) + charts(report) + tables(report),
    };
  };

  const send = (stream: EventStream, html: typeof drawn, before: typeof drawn | null) => {
    if (html.head !== before?.head) stream.send("head", html.head);
    if (html.now !== before?.now) stream.send("now", html.now);
    if (html.overview !== before?.overview) stream.send("overview", html.overview);
  };

  function readNew(): void {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined)
      throw new RalphError("environment", "The journal of this run is gone: its folder was deleted.");
    if (size < end)
      throw new RalphError(
        "environment",
        "The journal of this run was replaced by a shorter one. Load the page again.",
      );
    if (size === seen) return;
    seen = size;
    const before = seq;
    const entries = new Map<number, string[]>();
    for (const line of readJournal(path, end)) {
      if ("event" in line) {
        take(line.event, end);
        state = reduce(state, line.event);
        const html = transcript.entries(line.event);
        if (html.length > 0) entries.set(line.event.iteration, [...(entries.get(line.event.iteration) ?? []), ...html]);
      } else bad += 1;
      end = line.end;
    }
    if (seq === before) return;
    const rows = rowsAfter(before);
    for (const stream of streams) {
      stream.send("rows", rows, seq);
      for (const [number, html] of entries) stream.send("entries", { number, html: html.join(""), seq }, seq);
    }
  }

  function look(): void {
    try {
      readNew();
      fault = null;
    } catch (error) {
      fault = reasonOf(error);
    }
    try {
      const html = draw();
      for (const stream of streams) send(stream, html, drawn);
      drawn = html;
    } catch (error) {
      for (const stream of streams) stream.send("fault", reasonOf(error));
    }
  }

  let reading: Promise<void> | null = null;
  const ready = () => {
    reading ??= readWhole()
      .catch((error: unknown) => {
        fault = reasonOf(error);
      })
      .finally(() => {
        isWhole = true;
        turned.resolve();
      });
    return reading;
  };

  return {
    join(stream, after) {
      readers += 1;
      let isHere = true;
      let sent = after;
      const sendRows = async (before?: number) => {
        const rows = rowsAfter(sent, before);
        sent = before === undefined ? seq : before - 1;
        for (let at = 0; at < rows.length && isHere; at += ROWS_AT_ONCE) {
          stream.send("rows", rows.slice(at, at + ROWS_AT_ONCE));
          await stream.drained();
        }
      };
      const begin = async () => {
        const whole = ready();
        // A page that has nothing yet gets the first iterations while the others are still read.
        while (!isWhole && isHere && after === 0) {
          await turned.promise;
          if (!isWhole) await sendRows(beganAt);
        }
        await whole;
        if (!isHere) return;
        look();
        const first = drawn;
        send(stream, first, null);
        // A page that knows more events than there are has seen another journal.
        if (sent > seq) sent = 0;
        // A long run is sent piece by piece; what changes meanwhile is sent after it.
        do await sendRows();
        while (sent < seq && isHere);
        if (!isHere) return;
        send(stream, drawn, first);
        stream.send("caught_up", { iteration: state.iteration }, seq);
        streams.add(stream);
        timer ??= setInterval(look, LOOK_MS);
      };
      begin().catch((error: unknown) => stream.send("fault", reasonOf(error)));
      return () => {
        if (!isHere) return;
        isHere = false;
        readers -= 1;
        streams.delete(stream);
        if (readers > 0) return;
        if (timer !== null) clearInterval(timer);
        timer = null;
        builder = createReportBuilder({ foldCase });
        transcript = createTranscript(shorten);
        onEmpty();
      };
    },
    transcript: transcriptOf,
    placeOf(number) {
      const from = offsets.get(number) ?? 0;
      const to = offsets.get(number + 1) ?? statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      return { from, bytes: to - from };
    },
    async transcripts(wholePaths) {
      await ready();
      return (function* () {
        for (const [number, from] of offsets) yield { number, html: transcriptOf(number, wholePaths, from, 0).html };
      })();
    },
  };

  function transcriptOf(
    number: number,
    wholePaths: boolean,
    from: number,
    after: number,
  ): { html: string; seq: number } {
    const window = createEntryWindow(TRANSCRIPT_CHARS);
    const own = createTranscript(wholePaths ? (text) => text : shorten);
    let last = 0;
    for (const event of iterationEvents(number, from)) {
      last = event.seq;
      // What came before is read all the same: a result belongs to the tool that was started then.
      const entries = own.entries(event);
      if (last > after) for (const entry of entries) window.add(entry);
    }
    const isOver = number !== state.iteration;
    for (const entry of isOver && after === 0 ? own.rest() : []) window.add(entry);
    return { html: keptHtml(window.kept()), seq: last };
  }
}

/** What an agent said or did within a call: of iterations that are over, the state keeps nothing of it. */
function isDeed({ type }: RalphEvent): boolean {
  return type === "agent_text" || type === "agent_tool_started" || type === "agent_tool_finished";
}
