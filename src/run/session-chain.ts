import { isSessionId } from "../core/decide/session-id.ts";
import type { LoopDeps } from "./deps.ts";

/** What the hooks get to see of an output. */
const MOST_BYTES = { head: 8_000_000, tail: 8_000_000 };

/**
 * The session id that the driver's own hooks find: its extraction, whatever the events said, and its last resort when
 * neither found one (contract, "Session ID Recovery Chain"). Null where they find none, or there are no such hooks.
 * @param stdoutFile the agent's output
 * @param seen the id that the events told
 */
export async function hookedSession(
  { driver, host, ends }: Pick<LoopDeps, "driver" | "host" | "ends">,
  stdoutFile: string,
  seen: string | null,
): Promise<string | null> {
  if (driver.supportsSessions === false) return null;
  if (driver.extractSessionId === undefined && (driver.fallbackSessionId === undefined || seen !== null)) return null;
  const { head, tail } = ends(stdoutFile, MOST_BYTES);
  const output = head + tail;
  const extracted = usable(driver.extractSessionId?.(output), driver);
  if (extracted !== null) return extracted;
  return seen === null ? usable(await driver.fallbackSessionId?.(output, host), driver) : null;
}

function usable(id: string | null | undefined, driver: LoopDeps["driver"]): string | null {
  return typeof id === "string" && isSessionId(driver, id) ? id : null;
}
