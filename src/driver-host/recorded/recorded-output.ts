import type { RecordedFormat, RecordedOutput } from "../../core/answer/analyze-report.ts";
import { type CollectedOutput, collectEvent, finalText } from "../../core/answer/collected-output.ts";
import { errorLinesOfAnswer } from "../../core/answer/error-excerpt.ts";
import { classifyError } from "../../core/answer/error-patterns.ts";
import { isSessionId } from "../../core/decide/session-id.ts";
import { isRecord } from "../../core/json-value.ts";
import { looksLikeJsonEvent } from "../../core/text/json-event-text.ts";
import { splitLines } from "../../core/text/text-lines.ts";
import type { DecoderKit, Driver } from "../../driver.ts";
import { textDecoder } from "../text-decoder.ts";
import { type EventSummary, trackEvents, trackJsonLines } from "./event-tracker.ts";
import { createFormatDetector } from "./format-detector.ts";
import { identifyDriver } from "./identify-driver.ts";

export type RecordedOptions = {
  /** Name of the driver that ran; absent: identified from the output. */
  driver?: string;
  stderr?: string;
  exitCode?: number | null;
  /** All drivers that may have run. */
  drivers: readonly Driver[];
  kit: DecoderKit;
};

/**
 * Reads a recording line by line. For JSON Lines of a known CLI it keeps almost nothing in memory, however long the
 * recording.
 */
export type RecordedReader = { line(text: string): void; end(): RecordedOutput };

type IdentifiedDriver = { name: string | null; driver: Driver | null };
type OutputShape = { format: RecordedFormat; events: number; plain: readonly string[] };

/**
 * For a failed call without an error event, this many last lines are the error text (product.md "What ralph decides, and on
 * what", "Limited").
 */
const ERROR_LINES = 20;

/**
 * Buffers the first lines until they identify format and driver; after that, passes each line to the driver's decoder and
 * forgets it. Buffers to the end what can be recognised only as a whole: text, a document or array, JSON Lines of no known
 * CLI.
 */
export function recordedReader(options: RecordedOptions): RecordedReader {
  const kit = withParseCache(options.kit);
  const detector = createFormatDetector(kit);
  let reader: RecordedReader | null = null;
  return {
    line(text) {
      if (reader !== null) return reader.line(text);
      detector.add(text);
      if (!detector.areJsonLines()) return;
      reader = jsonLinesReader(detector.objects(), options, kit);
      detector.lines().forEach(reader.line);
    },
    end() {
      if (reader !== null) return reader.end();
      const { format, lines, objects, plain } = detector.parse();
      const identified = driverOf(objects, options);
      const track = format === "text" ? trackEvents(textDecoder()) : trackJsonLines(identified.driver, kit);
      lines.forEach(track.line);
      return toRecordedOutput(identified, { format, events: objects.length, plain }, track.end(), options);
    },
  };
}

function jsonLinesReader(
  objects: readonly Record<string, unknown>[],
  options: RecordedOptions,
  kit: DecoderKit,
): RecordedReader {
  const identified = driverOf(objects, options);
  const track = trackJsonLines(identified.driver, kit);
  const plain: string[] = [];
  let events = 0;
  return {
    line(text) {
      const value = kit.json(text);
      if (value !== null) events += Array.isArray(value) ? value.filter(isRecord).length : 1;
      else if (text.trim() !== "" && plain.push(text) > ERROR_LINES) plain.shift();
      track.line(text);
    },
    end: () => toRecordedOutput(identified, { format: "jsonl", events, plain }, track.end(), options),
  };
}

/** Format, driver and decoder all need a line's JSON: parse it only once. */
function withParseCache(kit: DecoderKit): DecoderKit {
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
  { driver: requested, drivers }: RecordedOptions,
): IdentifiedDriver {
  const name = requested ?? identifyDriver(objects);
  return { name, driver: drivers.find((one) => one.name === name) ?? null };
}

function toRecordedOutput(
  { name, driver }: IdentifiedDriver,
  shape: OutputShape,
  summary: EventSummary,
  options: RecordedOptions,
): RecordedOutput {
  const output = withFailure(summary, shape, options);
  return {
    driver: name,
    format: shape.format,
    output,
    isResumable: output.sessionId !== null && isSessionId(driver ?? {}, output.sessionId),
    events: shape.events,
    unknownEvents: summary.unknown,
  };
}

/**
 * The error of a call that failed by its exit code without an error event. A final event that reports success outweighs the
 * exit code; plain text has none.
 */
function withFailure(
  { output, error }: EventSummary,
  { format, plain }: OutputShape,
  options: RecordedOptions,
): CollectedOutput {
  const { exitCode = null, stderr = "" } = options;
  const succeeded = format !== "text" && output.finished?.ok === true;
  if (error || succeeded || exitCode === null || exitCode === 0) return output;
  const said = format === "text" ? errorLinesOfAnswer(plain, finalText(output)) : plain;
  const last = [...said, ...splitLines(stderr)]
    .filter((line) => line.trim() !== "" && !looksLikeJsonEvent(line))
    .slice(-ERROR_LINES);
  const message = last.join("\n");
  return collectEvent(output, { type: "error", class: classifyError(message)?.class ?? "infrastructure", message });
}
