import type { AgentEvent, CallFacts, Decoder, DecoderKit, Driver } from "../../driver.ts";
import { flatDecoder } from "../flat-decoder.ts";
import { identifyDriver } from "../recorded/identify-driver.ts";
import { parseRecording } from "../recorded/recorded-format.ts";

export type ShellDecoderOptions = {
  /** The driver whose output the agent prints, if known from name or program; null: identified from the output. */
  own: Driver | null;
  /** Drivers whose output ralph can read. */
  known: readonly Driver[];
  /** The driver's stream filter: converts lines of JSON to text. Null for a driver without one. */
  filter: ((lines: readonly string[]) => string) | null;
  /** Facts of the call for the decoder of a known CLI; absent for a recorded output. */
  call?: CallFacts | undefined;
};

/** Characters kept of lines that were not recognised, to read the output as a whole at the end. */
const MAX_KEPT_CHARS = 1_000_000;
/** The filter runs on each of the first lines, then on growing batches: about 200 times for 5,000 lines. */
const LINES_ONE_BY_ONE = 32;

/**
 * Reads the output of a bash driver's agent. Most wrap a CLI that ralph knows, so that CLI's decoder reads it. If it finds no
 * text, the driver's own filter does: its text is shown as it grows, and becomes one block at the end, because a filter does
 * not mark where a block ends. Any other output is one JSON document or plain text. There is a final event only if the output
 * has one.
 */
export function shellDecoder(kit: DecoderKit, { own, known, filter, call }: ShellDecoderOptions): Decoder {
  let inner: Decoder | null = null;
  let ralphFoundText = false;
  let filtered = "";
  let lines = 0;
  let pendingLines: string[] = [];
  const keptLines: string[] = [];
  let keptLength = 0;

  return {
    line(text) {
      const json = kit.json(text);
      if (json === null) {
        keep(text);
        return [];
      }
      const objects = [json].flat().filter(kit.isRecord);
      inner ??= decoderOf(objects);
      if (inner === null) keep(text);
      const events = inner === null ? objects.flatMap(unknownEvents) : inner.line(text).map(understood);
      ralphFoundText ||= events.some(isText);
      return [...events, ...partial(text)];
    },
    end(stderr) {
      const events = inner?.end(stderr) ?? [];
      ralphFoundText ||= events.some(isText);
      if (ralphFoundText) return events;
      runFilter();
      if (filtered.trim() !== "") return [...events, { type: "text", text: filtered }];
      return inner === null ? wholeOutput() : events;
    },
  };

  function decoderOf(objects: readonly Record<string, unknown>[]): Decoder | null {
    const name = identifyDriver(objects);
    const driver = own ?? known.find((one) => one.name === name);
    return driver?.decoder?.(kit, call) ?? null;
  }

  /** With a filter, no event is unknown: the filter may know it. */
  function understood(event: AgentEvent): AgentEvent {
    return event.type === "unknown" && filter !== null ? { type: "ignored" } : event;
  }

  /** An event of an unknown CLI. */
  function unknownEvents(object: Record<string, unknown>): AgentEvent[] {
    const type = kit.str(object.type);
    const id = kit.sessionId(object);
    return [
      ...(id === null ? [] : [{ type: "session_id", session_id: id } as const]),
      type === null || filter !== null ? { type: "ignored" } : { type: "unknown", name: type },
    ];
  }

  function partial(line: string): AgentEvent[] {
    if (filter === null || ralphFoundText) return [];
    lines += 1;
    pendingLines.push(line);
    if (pendingLines.length < lines / LINES_ONE_BY_ONE) return [];
    return runFilter() ? [{ type: "partial", text: filtered }] : [];
  }

  /** @returns whether the filter printed text */
  function runFilter(): boolean {
    if (filter === null || pendingLines.length === 0) return false;
    const text = filter(pendingLines);
    pendingLines = [];
    filtered += text;
    return text !== "";
  }

  function keep(line: string): void {
    if (keptLength + line.length > MAX_KEPT_CHARS) return;
    keptLines.push(line);
    keptLength += line.length + 1;
  }

  function wholeOutput(): AgentEvent[] {
    const recorded = parseRecording(keptLines.join("\n"));
    if (recorded.format === "text") {
      const text = keptLines.join("\n").trim();
      return text === "" ? [] : [{ type: "text", text }];
    }
    const decoder = decoderOf(recorded.objects) ?? flatDecoder(kit);
    const events = [...recorded.lines.flatMap((line) => decoder.line(line)), ...decoder.end()];
    return events.filter((event) => event.type !== "unknown");
  }
}

function isText(event: AgentEvent): boolean {
  if (event.type === "finished") return (event.text ?? "") !== "";
  return event.type === "partial" || (event.type === "text" && event.nested !== true);
}
