import { isRecord } from "../../core/json-value.ts";
import type { DecoderKit } from "../../driver.ts";
import { identifyDriver, SAMPLE_SIZE } from "./identify-driver.ts";
import { parseRecording, type RecordedLines, textLines } from "./recorded-format.ts";

/** Buffers the lines of a recording until their format is known. */
export type FormatDetector = {
  add(text: string): void;
  /** Whether they are JSON Lines of a known CLI, or too many to wait for more. */
  areJsonLines(): boolean;
  /** The buffered lines. */
  lines(): readonly string[];
  /** The first objects among them, which identify the driver. */
  objects(): readonly Record<string, unknown>[];
  /** The format of all lines, after the last of them. */
  parse(): RecordedLines;
};

/** After this many characters of JSON Lines, the lines so far decide the driver. */
const IDENTIFY_AFTER_CHARS = 4_000_000;
/** Most characters buffered of an output that is readable only as a whole; of a longer one, the end is read as text. */
const MAX_BUFFERED_CHARS = 64_000_000;

/** @param maxChars approximate limit of the buffered characters */
export function createFormatDetector(kit: DecoderKit, maxChars = MAX_BUFFERED_CHARS): FormatDetector {
  let buffered: string[] = [];
  let length = 0;
  let isCut = false;
  let json = 0;
  let plain = 0;
  /** Before the first JSON line, a line opened a value without closing it: the lines may be one pretty-printed document. */
  let mayBePretty = false;
  let isKnown = false;
  const objects: Record<string, unknown>[] = [];

  function count(text: string): void {
    if (text.trim() === "") return;
    const value = kit.json(text);
    if (value === null) {
      plain += 1;
      mayBePretty ||= json === 0 && /^\W{0,9}[[{]/.test(text);
      return;
    }
    json += 1;
    if (objects.length >= SAMPLE_SIZE) return;
    objects.push(...[value].flat().filter(isRecord));
    if (objects.length >= SAMPLE_SIZE || length > IDENTIFY_AFTER_CHARS) isKnown = identifyDriver(objects) !== null;
  }

  /** Drops the older half. */
  function cut(): void {
    isCut = true;
    let from = 0;
    for (; length > maxChars / 2 && from < buffered.length - 1; from += 1) length -= (buffered[from]?.length ?? 0) + 1;
    buffered = buffered.slice(from);
  }

  function areJsonLines(): boolean {
    if (isCut || json < 2) return false;
    if (length > maxChars) return plain <= json || isKnown;
    return isKnown && !mayBePretty;
  }

  return {
    add(text) {
      buffered.push(text);
      length += text.length + 1;
      if (!isCut) count(text);
      if (length > maxChars && !areJsonLines()) cut();
    },
    areJsonLines,
    lines: () => buffered,
    objects: () => objects,
    parse: () => (isCut ? textLines(buffered) : parseRecording(buffered.join("\n"))),
  };
}
