import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { reduce } from "../../core/journal/reduce.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { createReportBuilder } from "../../core/report/build-report.ts";
import type { IterationReceipt, Report } from "../../core/report/report-types.ts";
import { readJournal } from "../../effects/journal/journal-read.ts";
import { isWords } from "../../effects/journal/line-filter.ts";
import { createTranscript } from "../../view/report/transcript.ts";
import type { Shorten } from "../../view/text/path.ts";

/** Others have a turn after so many bytes of a long journal. */
const TURN_BYTES = 1 << 20;
/** A page gets what was read since, after so many bytes, and of a longer journal after a part of what it has. */
const PART_BYTES = 2 << 20;
const PART = 1 / 8;

export type RunReadingOptions = { project: string; journal: string; shorten: Shorten; foldCase: boolean };

/** What the journal of a run says, as far as it is read. Results are kept, words are not: memory grows with the iterations, not with the journal. */
export type RunReading = {
  /** Reads what there is, once however often it is asked. @throws RalphError as `readJournal` */
  whole(): Promise<void>;
  /** Waits for a further part of that. @returns false once all of it is read, or cannot be */
  nextPart(): Promise<boolean>;
  /**
   * Reads what was added since.
   * @returns the HTML of new text and tools, by iteration
   * @throws RalphError `environment` if the journal is gone or became shorter, and as `readJournal`
   */
  readNew(): ReadonlyMap<number, string[]>;
  facts(): RunFacts;
  /** The receipts of the iterations in which something happened after one event and before another, by their numbers. */
  changed(after: number, before?: number): IterationReceipt[];
  /** @param live whether the run goes on */
  report(live: boolean): Report;
  /** The byte at which each iteration begins. */
  begins: ReadonlyMap<number, number>;
};

export type RunFacts = {
  state: State;
  /** Number of the newest event. */
  seq: number;
  /** Number of the event with which the newest iteration began. */
  beganAt: number;
  /** Lines that cannot be used. */
  badLines: number;
  /** The newest tag that the run made; null for none. */
  tag: string | null;
};

export function createRunReading({ project, journal, shorten, foldCase }: RunReadingOptions): RunReading {
  const begins = new Map<number, number>();
  const changedAt = new Map<number, number>();
  const builder = createReportBuilder({ foldCase });
  const transcript = createTranscript(shorten);
  let facts: RunFacts = { state: initialState(project), seq: 0, beganAt: 0, badLines: 0, tag: null };
  /** Where the last whole line ended. */
  let end = 0;
  /** Where the journal ended at the last look: beyond `end`, if a line is not whole yet. */
  let seen = 0;
  let reading: Promise<void> | null = null;
  let isWhole = false;
  let part = Promise.withResolvers<void>();

  /** @param at the byte at which it begins */
  function take(event: RalphEvent, at: number): void {
    let { beganAt, tag } = facts;
    if (event.type === "iteration_started") {
      if (!begins.has(event.number)) begins.set(event.number, at);
      beganAt = event.seq;
    }
    if (event.type === "git_step" && event.result === "done") tag = event.tag ?? tag;
    if (event.iteration > 0) changedAt.set(event.iteration, event.seq);
    facts = { ...facts, seq: event.seq, beganAt, tag };
    builder.take(event);
  }

  const fold = (event: RalphEvent) => {
    facts = { ...facts, state: reduce(facts.state, event) };
  };
  const countBad = () => {
    facts = { ...facts, badLines: facts.badLines + 1 };
  };

  async function readWhole(): Promise<void> {
    let [nextTurn, nextPart] = [TURN_BYTES, PART_BYTES];
    /** Begin of a line that is not far from the end. */
    let [before, last] = [0, 0];
    for (const line of readJournal(journal, 0, isWords)) {
      if ("event" in line) {
        take(line.event, end);
        if (!isDeed(line.event)) fold(line.event);
      } else countBad();
      end = line.end;
      if (end < nextTurn) continue;
      nextTurn = end + TURN_BYTES;
      [before, last] = [last, end];
      if (end >= nextPart) {
        nextPart = end + Math.max(PART_BYTES, end * PART);
        part.resolve();
        part = Promise.withResolvers();
      }
      await setImmediate();
    }
    readDeeds(before);
  }

  /** A tool that is under way is shown when its result comes: the transcript and the state have to know of its start. */
  function readDeeds(before: number): void {
    const { iteration, updated_at } = facts.state;
    for (const line of readJournal(journal, Math.max(begins.get(iteration) ?? 0, before))) {
      if (!("event" in line) || line.event.iteration !== iteration) continue;
      transcript.entries(line.event);
      if (isDeed(line.event)) fold(line.event);
    }
    facts = { ...facts, state: { ...facts.state, seq: facts.seq, updated_at } };
  }

  return {
    begins,
    facts: () => facts,
    whole() {
      reading ??= readWhole().finally(() => {
        isWhole = true;
        part.resolve();
      });
      return reading;
    },
    async nextPart() {
      if (!isWhole) await part.promise;
      return !isWhole;
    },
    readNew() {
      const entries = new Map<number, string[]>();
      const size = sizeOf(journal, end);
      if (size === seen) return entries;
      for (const line of readJournal(journal, end)) {
        if ("event" in line) {
          const { event } = line;
          take(event, end);
          fold(event);
          const html = transcript.entries(event);
          if (html.length > 0) entries.set(event.iteration, [...(entries.get(event.iteration) ?? []), ...html]);
        } else countBad();
        end = line.end;
      }
      // Not before: what could not be read is told at each look.
      seen = size;
      return entries;
    },
    changed(after, before = Number.POSITIVE_INFINITY) {
      const isAsked = (at: number) => at > after && at < before;
      return builder.iterations().filter(({ number }) => isAsked(changedAt.get(number) ?? 0));
    },
    report: (live) => (live ? builder.soFar() : builder.end()),
  };
}

function sizeOf(journal: string, read: number): number {
  const size = statSync(journal, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw new RalphError("environment", "The journal of this run is gone: its folder was deleted.");
  if (size < read)
    throw new RalphError("environment", "The journal of this run was replaced by a shorter one. Load the page again.");
  return size;
}

/** What an agent said or did within a call: of iterations that are over, the state keeps nothing of it. */
function isDeed({ type }: RalphEvent): boolean {
  return type === "agent_text" || type === "agent_tool_started" || type === "agent_tool_finished";
}
