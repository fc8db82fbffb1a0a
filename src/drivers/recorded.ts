import { type AgentOutput, collect, emptyOutput } from "../core/agent-output.ts";
import { classifyError } from "../core/limit-wording.ts";
import { splitLines } from "../core/lines.ts";
import type { AgentEvent, Decoder, DecoderKit, Driver, Usage } from "../driver.ts";
import { flatDecoder } from "./flat-decoder.ts";
import { identifyDriver } from "./identify.ts";
import { type RecordedFormat, type RecordedLines, takeApart } from "./recorded-format.ts";
import { textDecoder } from "./text-decoder.ts";

export type RecordedOptions = {
  /** Name of the driver that ran; absent: found from the output. */
  driver?: string;
  stderr?: string;
  exitCode?: number | null;
  /** Every driver that may have run. */
  drivers: readonly Driver[];
  kit: DecoderKit;
};

/** The recorded output of one iteration, read by its driver. */
export type Recorded = {
  /** Name of the driver; null where the output is nobody's. */
  driver: string | null;
  format: RecordedFormat;
  output: AgentOutput;
  sessionId: string | null;
  usage: Usage;
  /** Events that the agent printed, and how many of them are unknown. */
  events: number;
  unknownEvents: number;
};

/** Of a failed call without an error of its own these last lines are its error text (product.md 4). */
const ERROR_LINES = 20;

/** Reads a recorded output as a whole: format and driver are found, then its lines go through the driver's decoder. */
export function readRecorded(text: string, options: RecordedOptions): Recorded {
  const recorded = takeApart(text);
  const name = options.driver ?? identifyDriver(recorded.objects);
  const driver = options.drivers.find((one) => one.name === name) ?? null;
  const events = decode(recorded, driver, options.kit).filter((event) => isPossible(event, driver));
  const output = [...events, ...failure(events, recorded, options)].reduce(collect, emptyOutput());
  return {
    driver: name,
    format: recorded.format,
    output,
    sessionId: output.sessionId,
    usage: output.usage,
    events: recorded.objects.length,
    unknownEvents: events.filter((event) => event.type === "unknown").length,
  };
}

function decode({ format, lines }: RecordedLines, driver: Driver | null, kit: DecoderKit): AgentEvent[] {
  if (format === "text") return feed(textDecoder(), lines);
  const events = driver?.decoder === undefined ? [] : feed(driver.decoder(kit), lines);
  const understood = events.some((event) => event.type !== "unknown" && event.type !== "ignored");
  return understood ? events : feedUnlessWorse(events, flatDecoder(kit), lines);
}

/** A document that the driver does not know may be a flat answer. */
function feedUnlessWorse(events: AgentEvent[], decoder: Decoder, lines: readonly string[]): AgentEvent[] {
  const flat = feed(decoder, lines);
  return events.length === 0 || flat.some((event) => event.type === "finished") ? flat : events;
}

function feed(decoder: Decoder, lines: readonly string[]): AgentEvent[] {
  return [...lines.flatMap((line) => decoder.line(line)), ...decoder.end()];
}

function isPossible(event: AgentEvent, driver: Driver | null): boolean {
  if (event.type !== "session_id") return true;
  return driver?.isSessionId?.(event.session_id) ?? /^[^\s-]\S*$/.test(event.session_id);
}

/** The error of a call that failed by its exit code and did not say why in an event of its own. */
function failure(events: readonly AgentEvent[], { plain }: RecordedLines, options: RecordedOptions): AgentEvent[] {
  const { exitCode = null, stderr = "" } = options;
  const isTold = events.some((event) => event.type === "error");
  if (isTold || exitCode === null || exitCode === 0) return [];
  const last = [...plain, ...splitLines(stderr)].filter((line) => line.trim() !== "").slice(-ERROR_LINES);
  const message = last.join("\n");
  return [{ type: "error", class: classifyError(message) ?? "infrastructure", message }];
}
