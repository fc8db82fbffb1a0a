import type { DecoderKit } from "../../driver.ts";
import { isRecord } from "../values.ts";
import { ENOUGH, identifyDriver } from "./identify-driver.ts";
import { parseRecording, type RecordedLines, textLines } from "./recorded-format.ts";

/** The lines of a recording that are held until it is known what they are. */
export type FormatDetector = {
  hold(text: string): void;
  /** They are JSON Lines of a known CLI, or too many to wait for more. */
  areJsonLines(): boolean;
  /** What was held. */
  lines(): readonly string[];
  /** The first objects in it, by which its driver is known. */
  objects(): readonly Record<string, unknown>[];
  /** What the lines are as a whole, after the last of them. */
  whole(): RecordedLines;
};

/** Characters of JSON Lines after which their driver is named by what came so far. */
const IDENTIFY_AFTER_CHARS = 4_000_000;
/** Characters held of an output that must be seen as a whole; of a longer one the end is read, as text. */
const MAX_BUFFERED_CHARS = 64_000_000;

/** @param mostHeld bound on the characters that are held, roughly */
export function createFormatDetector(kit: DecoderKit, mostHeld = MAX_BUFFERED_CHARS): FormatDetector {
  let held: string[] = [];
  let length = 0;
  let isCut = false;
  let json = 0;
  let plain = 0;
  /** Before all others a line began a value and did not end it: they may be parts of one document. */
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
    if (objects.length >= ENOUGH) return;
    objects.push(...[value].flat().filter(isRecord));
    if (objects.length >= ENOUGH || length > IDENTIFY_AFTER_CHARS) isKnown = identifyDriver(objects) !== null;
  }

  /** Keeps the newer half. */
  function cut(): void {
    isCut = true;
    let from = 0;
    for (; length > mostHeld / 2 && from < held.length - 1; from += 1) length -= (held[from]?.length ?? 0) + 1;
    held = held.slice(from);
  }

  function areJsonLines(): boolean {
    if (isCut || json < 2) return false;
    if (length > mostHeld) return plain <= json || isKnown;
    return isKnown && !mayBePretty;
  }

  return {
    hold(text) {
      held.push(text);
      length += text.length + 1;
      if (!isCut) count(text);
      if (length > mostHeld && !areJsonLines()) cut();
    },
    areJsonLines,
    lines: () => held,
    objects: () => objects,
    whole: () => (isCut ? textLines(held) : parseRecording(held.join("\n"))),
  };
}
