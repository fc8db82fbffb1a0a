import type { AgentEvent, Decoder, DecoderKit, Driver } from "../../driver.ts";
import { flatDecoder } from "../flat-decoder.ts";
import { identifyDriver } from "../recorded/identify-driver.ts";
import { parseRecording } from "../recorded/recorded-format.ts";

export type ShellDecoderOptions = {
  /** The driver whose output the agent prints, where its name or program tells; null: the output itself tells. */
  own: Driver | null;
  /** Drivers whose output ralph can read. */
  known: readonly Driver[];
  /** The driver's stream filter over some lines of JSON: the text that it makes of them. Null for a driver without one. */
  filter: ((lines: readonly string[]) => string) | null;
};

/** Lines that nobody understood as they came are kept up to this many characters, for a look at the whole. */
const MOST_HELD = 1_000_000;
/** The filter is run on each of the first lines, then on ever more at once: some 200 times for 5,000 lines. */
const LINES_ONE_BY_ONE = 32;

/**
 * Reads what the agent of a bash driver prints. Most of them wrap a CLI that ralph knows: then that CLI's decoder reads
 * it. Where it finds no text, the driver's own filter speaks: its text is shown while it grows and is one block at the
 * end, for a filter prints pieces without saying where a block ends. An output that is neither, is an answer as one JSON
 * document, or plain text. There is a final event only where the output holds one.
 */
export function shellDecoder(kit: DecoderKit, { own, known, filter }: ShellDecoderOptions): Decoder {
  let inner: Decoder | null = null;
  let ralphFoundText = false;
  let filtered = "";
  let lines = 0;
  let waiting: string[] = [];
  const held: string[] = [];
  let heldLength = 0;

  return {
    line(text) {
      const json = kit.json(text);
      if (json === null) {
        hold(text);
        return [];
      }
      const objects = [json].flat().filter(kit.isRecord);
      inner ??= decoderOf(objects);
      if (inner === null) hold(text);
      const events = inner === null ? objects.flatMap(stranger) : inner.line(text).map(understood);
      ralphFoundText ||= events.some(isText);
      return [...events, ...partial(text)];
    },
    end() {
      const events = inner?.end() ?? [];
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
    return driver?.decoder?.(kit) ?? null;
  }

  /** An event that its filter may know is not unknown. */
  function understood(event: AgentEvent): AgentEvent {
    return event.type === "unknown" && filter !== null ? { type: "ignored" } : event;
  }

  /** An event of a CLI that ralph does not know. */
  function stranger(object: Record<string, unknown>): AgentEvent[] {
    const type = kit.str(object.type);
    const id = sessionIdOf(object);
    return [
      ...(id === null ? [] : [{ type: "session_id", session_id: id } as const]),
      type === null || filter !== null ? { type: "ignored" } : { type: "unknown", name: type },
    ];
  }

  /** The generic search of the originals: three names, in this order. */
  function sessionIdOf(object: Record<string, unknown>): string | null {
    const metadata = kit.isRecord(object.metadata) ? object.metadata : {};
    const ids = [object.sessionId, metadata.session_id, object.session_id].map(kit.str);
    return ids.find((id) => id !== null && id !== "") ?? null;
  }

  function partial(line: string): AgentEvent[] {
    if (filter === null || ralphFoundText) return [];
    lines += 1;
    waiting.push(line);
    if (waiting.length < lines / LINES_ONE_BY_ONE) return [];
    return runFilter() ? [{ type: "partial", text: filtered }] : [];
  }

  /** @returns whether it made text */
  function runFilter(): boolean {
    if (filter === null || waiting.length === 0) return false;
    const text = filter(waiting);
    waiting = [];
    filtered += text;
    return text !== "";
  }

  function hold(line: string): void {
    if (heldLength + line.length > MOST_HELD) return;
    held.push(line);
    heldLength += line.length + 1;
  }

  function wholeOutput(): AgentEvent[] {
    const recorded = parseRecording(held.join("\n"));
    if (recorded.format === "text") {
      const text = held.join("\n").trim();
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
