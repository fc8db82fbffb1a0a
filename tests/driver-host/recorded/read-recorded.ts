import type { RecordedOutput } from "../../../src/core/answer/analyze-report.ts";
import { splitLines } from "../../../src/core/text/text-lines.ts";
import { decoderKit } from "../../../src/driver-host/decoder-kit.ts";
import { type RecordedOptions, recordedReader } from "../../../src/driver-host/recorded/recorded-output.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";

/** Reads a recording as a whole, with the drivers that ralph brings. */
export function readRecorded(text: string, options: Partial<RecordedOptions> = {}): RecordedOutput {
  const reader = recordedReader({ drivers: BUILT_IN_DRIVERS, kit: decoderKit, ...options });
  splitLines(text).forEach(reader.line);
  return reader.end();
}
