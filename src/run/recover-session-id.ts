import { isSessionId } from "../core/decide/session-id.ts";
import { type AgentOutcome, wasCutShort } from "../core/journal/event.ts";
import type { Driver } from "../driver.ts";
import type { World } from "../effects/ports.ts";
import type { Agent } from "./agent.ts";

/** How much of an output a driver's hooks receive. */
const MOST_BYTES = { head: 8_000_000, tail: 8_000_000 };

export type EndedCall = {
  outcome: AgentOutcome;
  /** The file of its output. */
  stdoutFile: string;
  /** The session that an event named. */
  seen: string | null;
};

/**
 * Asks the driver's own hooks for the session id. `extractSessionId` wins over the events; `fallbackSessionId` is asked
 * when neither found one (contract, "Session ID Recovery Chain"). It starts a program, so only after a call that had a
 * conversation.
 * @returns null if the driver has no such hook, or its hooks find none
 */
export async function recoverSessionId(
  { driver, binary }: Pick<Agent, "driver" | "binary">,
  { host, outputEnds, sandbox }: Pick<World, "host" | "outputEnds" | "sandbox">,
  { outcome, stdoutFile, seen }: EndedCall,
): Promise<string | null> {
  if (driver.supportsSessions === false || outcome === "spawn_failed") return null;
  const isLost = seen === null && (outcome === "ok" || wasCutShort(outcome));
  if (driver.extractSessionId === undefined && (driver.fallbackSessionId === undefined || !isLost)) return null;
  const { head, tail } = outputEnds(stdoutFile, MOST_BYTES);
  const output = head + tail;
  const extracted = usableId(driver.extractSessionId?.(output), driver);
  if (extracted !== null) return extracted;
  // The CLI would read, outside, what the agent wrote inside.
  return isLost && sandbox === null ? usableId(await driver.fallbackSessionId?.(output, host, binary), driver) : null;
}

function usableId(id: string | null | undefined, driver: Driver): string | null {
  return typeof id === "string" && isSessionId(driver, id) ? id : null;
}
