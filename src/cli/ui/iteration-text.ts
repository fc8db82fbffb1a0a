import { readJournal } from "../../effects/journal/journal-read.ts";
import { createEntryWindow, keptHtml } from "../../view/report/entry-window.ts";
import { createTranscript } from "../../view/report/transcript.ts";
import type { Shorten } from "../../view/text/path.ts";

/** Characters of one iteration's text and tools on the page. */
const MOST_CHARS = 400_000;

export type IterationTextOptions = {
  /** Byte of the journal at which the iteration begins, or one before that. */
  from: number;
  /** Only what came after this event; 0 for all of it. */
  after: number;
  shorten: Shorten;
};

/**
 * Reads the text and the tools of one iteration from a journal.
 * @returns them, and the number of the last event in them
 * @throws RalphError as `readJournal`
 */
export function iterationText(
  journal: string,
  number: number,
  { from, after, shorten }: IterationTextOptions,
): { html: string; seq: number } {
  const window = createEntryWindow(MOST_CHARS);
  const transcript = createTranscript(shorten);
  let seq = 0;
  let isIn = false;
  let isOver = false;
  for (const line of readJournal(journal, from)) {
    if (!("event" in line)) continue;
    const { event } = line;
    if (event.type === "iteration_started") {
      isOver = isIn && event.number !== number;
      if (isOver) break;
      isIn = event.number === number;
    }
    if (!isIn) continue;
    seq = event.seq;
    // What came before is read all the same: a result belongs to the tool that was started then.
    const entries = transcript.entries(event);
    if (seq > after) for (const entry of entries) window.add(entry);
  }
  // A tool of an iteration that goes on comes with its result.
  for (const entry of isOver && after === 0 ? transcript.rest() : []) window.add(entry);
  return { html: keptHtml(window.kept()), seq };
}
