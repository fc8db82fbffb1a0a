import type { EventStep } from "../../core/journal/event-step.ts";
import { toolChange } from "../../core/report/line-changes.ts";
import { eventLines, type LineOptions } from "../live/event-lines.ts";
import { fit, plain, searchKey } from "../text/text.ts";
import { changeLines, changeText, endedCall } from "./pane/change-lines.ts";

export type OutputOptions = Omit<LineOptions, "verbose" | "live" | "toolsAsCalled"> & {
  /** Also show what tools changed and answered. */
  detail: boolean;
  /** Show only what the agent's tools changed: all of it, or that of one event; null for the whole output. */
  changes: { seq: number | null } | null;
};

const DETAIL_LINES = 8;

/** A line, its search key, and the number of its event. `isEdit`: the line of an edit, or the head of its change. */
export type OutputLine = { text: string; searched: string; seq: number; isHeading: boolean; isEdit: boolean };

/** Turns events into output lines, with the live view's own function. */
export type OutputLines = (shown: readonly EventStep[], options: OutputOptions) => readonly OutputLine[];

/**
 * Caches the lines: most of a frame equals the previous one, plus a few events. The returned list belongs to the cache
 * and grows with the next call.
 */
export function createOutputLines(): OutputLines {
  let made = "";
  let known: readonly EventStep[] = [];
  let lines: OutputLine[] = [];
  return (shown, options) => {
    const { changes } = options;
    const key = `${options.width} ${options.detail} ${changes === null ? "" : (changes.seq ?? "all")}`;
    const goesOn = key === made && known[0] === shown[0] && known.at(-1) === shown[known.length - 1];
    const isSame = goesOn && known.length === shown.length;
    // What changed in all is told below the last edit, so new events change the end.
    if (changes !== null && !isSame) lines = changesShown(shown, changes.seq, options);
    if (changes === null) {
      if (!goesOn) lines = [];
      for (const one of goesOn ? shown.slice(known.length) : shown) lines.push(...linesOfShown(one, options));
    }
    made = key;
    known = shown;
    return lines;
  };
}

export function outputLine(text: string, seq: number, is: Partial<OutputLine> = {}): OutputLine {
  return { text, searched: searchKey(text), seq, isHeading: false, isEdit: false, ...is };
}

function changesShown(shown: readonly EventStep[], seq: number | null, options: OutputOptions): OutputLine[] {
  let before = -1;
  return changeLines(shown, seq, options).map((line) => {
    const isEdit = line.seq !== before;
    before = line.seq;
    return outputLine(line.text, line.seq, { isEdit });
  });
}

function linesOfShown(one: EventStep, options: OutputOptions): OutputLine[] {
  const { event, previous } = one;
  const lines = eventLines(one, { ...options, verbose: false, live: true, toolsAsCalled: false });
  const call = endedCall(event, previous.tools);
  const change = call === null ? null : toolChange(call);
  const isHeading = event.type === "iteration_started" && event.call === 1;
  return [...lines, ...(options.detail ? detailLines(one, change, options) : [])].map((text, index) =>
    outputLine(text, event.seq, { isHeading: isHeading && text !== "", isEdit: change !== null && index === 0 }),
  );
}

/** What a tool changed, or the beginning of what it answered. */
function detailLines({ event }: EventStep, change: ReturnType<typeof toolChange>, options: OutputOptions): string[] {
  if (event.type !== "agent_tool_finished" || event.is_error) return [];
  const indented = { ...options, width: options.width - 4 };
  const lines =
    change === null
      ? plain(event.content)
          .trimEnd()
          .split("\n")
          .map((line) => options.style.dim(fit(line, indented.width)))
      : changeText(change, indented).slice(1);
  const shown = lines.slice(0, DETAIL_LINES).map((line) => `    ${line}`);
  return lines.length > DETAIL_LINES ? [...shown, options.style.dim("    …")] : shown;
}
