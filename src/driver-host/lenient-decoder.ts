import { readStatus } from "../core/answer/status-block.ts";
import type { AgentEvent, Decoder } from "../driver.ts";
import { parseJsonLine } from "./json-line.ts";
import { parseRecording } from "./recorded/recorded-format.ts";
import { textDecoder, withoutFrame } from "./text-decoder.ts";

/** A decoder that may find at the end that what it read is plain text: then only the exit code tells how the call went. */
export type LenientDecoder = Decoder & { isPlainText(): boolean };

/** Most characters kept of an output in which nothing has been understood so far. */
const MAX_KEPT_CHARS = 1_000_000;

/**
 * Reads an output that its decoder does not understand at all as `ralph analyze` reads it: one JSON document on several
 * lines, or plain text. Text counts as an answer only with a status block: a CLI's last words are no answer.
 * @param make makes the driver's decoder
 */
export function lenientDecoder(make: () => Decoder): LenientDecoder {
  const decoder = make();
  /** Null once an event was understood, or the output is too long to be one answer. */
  let kept: string[] | null = [];
  let length = 0;
  let plain = false;

  function watch(events: AgentEvent[]): AgentEvent[] {
    if (kept !== null && events.some(isUnderstood)) kept = null;
    return events;
  }

  return {
    line(text) {
      length += text.length + 1;
      if (length > MAX_KEPT_CHARS) kept = null;
      kept?.push(text);
      return watch(decoder.line(text));
    },
    end(stderr) {
      const events = watch(decoder.end(stderr));
      return kept === null ? events : [...events, ...wholeOutput(kept)];
    },
    isPlainText: () => plain,
  };

  function wholeOutput(lines: readonly string[]): AgentEvent[] {
    const recorded = parseRecording(lines.join("\n"));
    if (recorded.format !== "text") return documentEvents(recorded.lines, lines);
    if (readStatus(lines.map(withoutFrame).join("\n")).block === null) return [];
    plain = true;
    return feed(textDecoder(), lines);
  }

  /** The events of documents that did not stand on one line each. */
  function documentEvents(documents: readonly string[], lines: readonly string[]): AgentEvent[] {
    const known = lines.every((line) => line.trim() === "" || parseJsonLine(line) !== null);
    return known ? [] : feed(make(), documents).filter(isUnderstood);
  }
}

function feed(decoder: Decoder, lines: readonly string[]): AgentEvent[] {
  return [...lines.flatMap((line) => decoder.line(line)), ...decoder.end()];
}

function isUnderstood({ type }: AgentEvent): boolean {
  return type !== "ignored" && type !== "unknown";
}
