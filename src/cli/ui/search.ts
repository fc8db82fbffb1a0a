import { setImmediate } from "node:timers/promises";

/** More than anybody steps through. */
const MOST_HITS = 1000;
/** The server answers others after so many characters. */
const TURN_CHARS = 2_000_000;

/** Where words stand in a run. */
export type Hits = {
  /** By number, in order; only those with a hit. */
  iterations: { number: number; count: number }[];
  total: number;
  /** The search ended early, because there are too many. */
  more: boolean;
};

/**
 * Finds words in what the page shows of each iteration: whatever their case, within one entry. Holds one iteration at a time.
 * @param transcripts HTML of the iterations, in order
 * @param isGone whether nobody waits for the answer any more: then it is what was found so far
 */
export async function search(
  transcripts: Iterable<{ number: number; html: string }>,
  words: string,
  isGone: () => boolean,
): Promise<Hits> {
  const pattern = new RegExp(words.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"), "giu");
  const hits: Hits = { iterations: [], total: 0, more: false };
  let turn = 0;
  for (const { number, html } of transcripts) {
    const count = textOf(html).match(pattern)?.length ?? 0;
    if (count > 0) hits.iterations.push({ number, count });
    hits.total += count;
    hits.more = hits.total >= MOST_HITS;
    if (hits.more) return hits;
    turn += html.length;
    if (turn < TURN_CHARS) continue;
    turn = 0;
    await setImmediate();
    if (isGone()) return hits;
  }
  return hits;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };

/** What a browser calls the text of this HTML of ours. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "");
}
