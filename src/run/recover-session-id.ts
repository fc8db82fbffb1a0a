import { isSessionId } from "../core/decide/session-id.ts";
import type { Driver } from "../driver.ts";
import type { World } from "../effects/ports.ts";

/** How much of an output a driver's hooks receive. */
const MOST_BYTES = { head: 8_000_000, tail: 8_000_000 };

/**
 * Asks the driver's own hooks for the session id. `extractSessionId` wins over the events; `fallbackSessionId` is asked
 * when neither found one (contract, "Session ID Recovery Chain").
 * @param stdoutFile the agent's output
 * @param seen the id that an event named
 * @returns null if the driver has no such hook, or its hooks find none
 */
export async function recoverSessionId(
  driver: Driver,
  { host, outputEnds }: Pick<World, "host" | "outputEnds">,
  stdoutFile: string,
  seen: string | null,
): Promise<string | null> {
  if (driver.supportsSessions === false) return null;
  if (driver.extractSessionId === undefined && (driver.fallbackSessionId === undefined || seen !== null)) return null;
  const { head, tail } = outputEnds(stdoutFile, MOST_BYTES);
  const output = head + tail;
  const extracted = usableId(driver.extractSessionId?.(output), driver);
  if (extracted !== null) return extracted;
  return seen === null ? usableId(await driver.fallbackSessionId?.(output, host), driver) : null;
}

function usableId(id: string | null | undefined, driver: Driver): string | null {
  return typeof id === "string" && isSessionId(driver, id) ? id : null;
}
