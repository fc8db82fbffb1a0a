import { eventLines, type LineOptions } from "../live/event-lines.ts";
import { findMatches, fit, plain, searchKey } from "../text/text.ts";
import type { OutputEvent } from "./model.ts";

export type OutputOptions = Omit<LineOptions, "verbose" | "live" | "toolsAsCalled"> & {
  /** Also show the results of tools. */
  detail: boolean;
};

const DETAIL_LINES = 8;

/** A line, its search key, and the number of its event. */
export type OutputLine = { text: string; searched: string; seq: number };

/** Turns events into output lines, with the live view's own function. */
export type OutputLines = (shown: readonly OutputEvent[], options: OutputOptions) => readonly OutputLine[];

/**
 * Caches the lines: most of a frame equals the previous one, plus a few events. The returned list belongs to the cache
 * and grows with the next call.
 */
export function createOutputLines(): OutputLines {
  let made = "";
  let known: readonly OutputEvent[] = [];
  let lines: OutputLine[] = [];
  return (shown, options) => {
    const key = `${options.width} ${options.detail}`;
    const goesOn = key === made && known[0] === shown[0] && known.at(-1) === shown[known.length - 1];
    if (!goesOn) lines = [];
    for (const one of goesOn ? shown.slice(known.length) : shown)
      lines.push(...linesOfShown(one, options).map((text) => outputLine(text, one.event.seq)));
    made = key;
    known = shown;
    return lines;
  };
}

export function outputLine(text: string, seq: number): OutputLine {
  return { text, searched: searchKey(text), seq };
}

/** The lines that contain a text, ignoring case. */
export function filterLines(lines: readonly OutputLine[], filter: string): readonly OutputLine[] {
  if (filter === "") return lines;
  const found = findMatches(
    lines.map((line) => line.searched),
    filter.toLowerCase(),
  );
  return lines.filter((_, at) => found[at]);
}

function linesOfShown({ event, state, previous }: OutputEvent, options: OutputOptions): string[] {
  const lines = eventLines(event, state, previous, { ...options, verbose: false, live: true, toolsAsCalled: false });
  if (!options.detail || event.type !== "agent_tool_finished" || event.is_error) return lines;
  const results = plain(event.content).trimEnd().split("\n");
  const shown = results.slice(0, DETAIL_LINES).map((line) => options.style.dim(`    ${fit(line, options.width - 4)}`));
  return results.length > DETAIL_LINES ? [...lines, ...shown, options.style.dim("    …")] : [...lines, ...shown];
}
