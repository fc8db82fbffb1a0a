import { type CollectedOutput, collectEvent } from "../../core/answer/collected-output.ts";
import { classifyError } from "../../core/answer/error-patterns.ts";
import { looksLikeJsonEvent } from "../../core/text/json-event-text.ts";
import { splitLines } from "../../core/text/text-lines.ts";
import type { DecoderKit, Driver, Usage } from "../../driver.ts";
import { textDecoder } from "../text-decoder.ts";
import { isRecord } from "../values.ts";
import { type EventSummary, trackEvents, trackJsonLines } from "./event-tracker.ts";
import { createFormatDetector } from "./format-detector.ts";
import { identifyDriver } from "./identify-driver.ts";
import type { RecordedFormat } from "./recorded-format.ts";

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
export type RecordedOutput = {
  /** Name of the driver; null where the output is nobody's. */
  driver: string | null;
  format: RecordedFormat;
  output: CollectedOutput;
  sessionId: string | null;
  usage: Usage;
  /** Events that the agent printed, and how many of them are unknown. */
  events: number;
  unknownEvents: number;
};

/** Reads a recording line by line. Of JSON Lines that a known CLI printed next to nothing is held, however many come. */
export type RecordedReader = { line(text: string): void; end(): RecordedOutput };

type IdentifiedDriver = { name: string | null; driver: Driver | null };
type OutputShape = { format: RecordedFormat; events: number; plain: readonly string[] };

/** Of a failed call without an error of its own these last lines are its error text (product.md 4). */
const ERROR_LINES = 20;

/** Reads a recorded output as a whole. */
export function readRecorded(text: string, options: RecordedOptions): RecordedOutput {
  const reader = recordedReader(options);
  splitLines(text).forEach(reader.line);
  return reader.end();
}

/**
 * Holds the first lines until they tell format and driver; from then on each line goes to the driver's decoder and is
 * forgotten. What shows its form only as a whole is held to its end: text, a document or array (pretty-printed perhaps),
 * and JSON Lines that no known CLI prints.
 */
export function recordedReader(options: RecordedOptions): RecordedReader {
  const kit = parsingOnce(options.kit);
  const start = createFormatDetector(kit);
  let reader: RecordedReader | null = null;
  return {
    line(text) {
      if (reader !== null) return reader.line(text);
      start.hold(text);
      if (!start.areJsonLines()) return;
      reader = jsonLinesReader(start.objects(), options, kit);
      start.lines().forEach(reader.line);
    },
    end() {
      if (reader !== null) return reader.end();
      const { format, lines, objects, plain } = start.whole();
      const named = driverOf(objects, options);
      const track = format === "text" ? trackEvents(textDecoder(), named.driver) : trackJsonLines(named.driver, kit);
      lines.forEach(track.line);
      return toRecordedOutput(named, { format, events: objects.length, plain }, track.end(), options);
    },
  };
}

function jsonLinesReader(
  objects: readonly Record<string, unknown>[],
  options: RecordedOptions,
  kit: DecoderKit,
): RecordedReader {
  const named = driverOf(objects, options);
  const track = trackJsonLines(named.driver, kit);
  const plain: string[] = [];
  let events = 0;
  return {
    line(text) {
      const value = kit.json(text);
      if (value !== null) events += Array.isArray(value) ? value.filter(isRecord).length : 1;
      else if (text.trim() !== "" && plain.push(text) > ERROR_LINES) plain.shift();
      track.line(text);
    },
    end: () => toRecordedOutput(named, { format: "jsonl", events, plain }, track.end(), options),
  };
}

/** Format, driver and decoder all look at a line's JSON: it is parsed for the first of them. */
function parsingOnce(kit: DecoderKit): DecoderKit {
  let line = "";
  let value: ReturnType<DecoderKit["json"]> = null;
  return {
    ...kit,
    json(text) {
      if (text !== line) {
        line = text;
        value = kit.json(text);
      }
      return value;
    },
  };
}

function driverOf(
  objects: readonly Record<string, unknown>[],
  { driver: given, drivers }: RecordedOptions,
): IdentifiedDriver {
  const name = given ?? identifyDriver(objects);
  return { name, driver: drivers.find((one) => one.name === name) ?? null };
}

function toRecordedOutput(
  { name }: IdentifiedDriver,
  printed: OutputShape,
  seen: EventSummary,
  options: RecordedOptions,
): RecordedOutput {
  const output = withFailure(seen, printed, options);
  return {
    driver: name,
    format: printed.format,
    output,
    sessionId: output.sessionId,
    usage: output.usage,
    events: printed.events,
    unknownEvents: seen.unknown,
  };
}

/**
 * The error of a call that failed by its exit code and did not say why in an event of its own. A final event that says
 * that all went well comes before the exit code; plain text has none.
 */
function withFailure(
  { output, error }: EventSummary,
  { format, plain }: OutputShape,
  options: RecordedOptions,
): CollectedOutput {
  const { exitCode = null, stderr = "" } = options;
  const wentWell = format !== "text" && output.finished?.ok === true;
  if (error || wentWell || exitCode === null || exitCode === 0) return output;
  const last = [...plain, ...splitLines(stderr)]
    .filter((line) => line.trim() !== "" && !looksLikeJsonEvent(line))
    .slice(-ERROR_LINES);
  const message = last.join("\n");
  return collectEvent(output, { type: "error", class: classifyError(message) ?? "infrastructure", message });
}
