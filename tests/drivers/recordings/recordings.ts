import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, Driver } from "../../../src/driver.ts";
import { decoderKit } from "../../../src/driver-host/decoder-kit.ts";

/** One recorded run of an agent CLI: its bytes on stdout, and how it ended. */
export type Recording = { name: string; bytes: Buffer; exitCode: number | null };

/** All recordings of `cli` (its folder below tests/fixtures/agent-output) with structured output. */
export function recordings(cli: string): Recording[] {
  const folder = join(import.meta.dirname, "..", "..", "fixtures", "agent-output", cli);
  return readdirSync(folder)
    .filter((file) => /\.jsonl?$/.test(file) && !file.endsWith(".meta.json"))
    .sort()
    .map((file) => {
      const meta = JSON.parse(readFileSync(join(folder, file.replace(/\.[^.]+$/, ".meta.json")), "utf8"));
      return { name: file, bytes: readFileSync(join(folder, file)), exitCode: meta.exitCode ?? null };
    });
}

/** The events of an output, line by line; `stderr`: its last lines. */
export function decode(driver: Driver, lines: readonly string[], stderr?: readonly string[]): AgentEvent[] {
  const decoder = driver.decoder?.(decoderKit);
  if (decoder === undefined) throw new Error(`${driver.name} has no decoder`);
  return [...lines.flatMap((line) => decoder.line(line)), ...decoder.end(stderr)];
}

/** The events of an output whose lines are these objects. */
export function decodeObjects(driver: Driver, lines: readonly unknown[]): AgentEvent[] {
  return decode(
    driver,
    lines.map((line) => JSON.stringify(line)),
  );
}

/** The events of one type. */
export function only<T extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}
