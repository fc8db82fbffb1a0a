import { isSessionId } from "../core/decide/session-id.ts";
import { addUsage, believableUsage, noUsage, type Spending, totalTokens } from "../core/journal/usage.ts";
import type { AgentEvent, Decoder, Driver, Usage } from "../driver.ts";
import { decoderKit } from "../driver-host/decoder-kit.ts";
import type { World } from "../effects/ports.ts";

/** A driver that may name a file with what a session used. */
type Reader = Pick<Driver, "decoder" | "sessionIds" | "usageFiles">;
type Reach = Pick<World, "host" | "fileSize" | "outputEnds">;

/** How much of a call's part of the file is read. */
const MOST_BYTES = { head: 32_000_000, tail: 32_000_000 };

/**
 * Where the part of a call begins in the file of the session that it resumes: at its present end. 0 for a new session; null for a
 * driver that names no file.
 */
export function usageStart(world: Reach, driver: Reader, resume: string | null): number | null {
  if (driver.usageFiles === undefined) return null;
  return resume === null ? 0 : (foundFile(world, driver, resume)?.size ?? 0);
}

/**
 * What a call used according to its session's file, in those figures that the call did not tell: only where that leaves its
 * tokens unknown. The agent can write to the file as to its own output, so it is believed as much as that.
 * @param from where the call's part begins, in bytes
 * @returns null if there is nothing to add
 */
export function usageInFile(
  world: Reach,
  driver: Reader,
  { session, from, told }: { session: string | null; from: number; told: Usage },
): Usage | null {
  if (session === null || totalTokens(told) > 0) return null;
  const file = foundFile(world, driver, session);
  const decoder = driver.decoder?.(decoderKit);
  if (file === null || decoder === undefined) return null;
  const { head, tail } = world.outputEnds(file.path, { ...MOST_BYTES, from });
  const used = usageIn(decoder, `${head}${tail}`);
  if (used === null || totalTokens(used) === 0) return null;
  const { cost_usd, duration_ms, turns } = told;
  return {
    ...used,
    cost_usd: cost_usd === null ? used.cost_usd : null,
    duration_ms: duration_ms === null ? used.duration_ms : null,
    turns: turns === null ? used.turns : null,
    model: used.model ?? told.model,
  };
}

/** The sum of what a decoder reads of usage in a text; null if it reads none. */
export function usageIn(decoder: Decoder, text: string): Spending | null {
  let sum: Spending | null = null;
  const add = (events: readonly AgentEvent[]) => {
    for (const event of events)
      if (event.type === "usage") sum = addUsage(sum ?? noUsage(), believableUsage(event).usage);
  };
  // A list of all lines of a text of nothing but line ends would take gigabytes.
  for (let from = 0, end = 0; from < text.length; from = end + 1) {
    end = text.indexOf("\n", from);
    if (end === -1) end = text.length;
    if (end > from) add(decoder.line(text.slice(from, end).replace(/\r$/, "")));
  }
  add(decoder.end([]));
  return sum;
}

/** An id with a slash could lead to any file. */
function foundFile(world: Reach, driver: Reader, session: string): { path: string; size: number } | null {
  if (!isSessionId(driver, session) || /[\\/]/.test(session)) return null;
  for (const path of driver.usageFiles?.(world.host, session) ?? []) {
    const size = world.fileSize(path);
    if (size > 0) return { path, size };
  }
  return null;
}
