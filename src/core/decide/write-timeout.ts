import type { Settings } from "../settings/settings.ts";

const MARGIN_MINUTES = 2;

/**
 * Minutes without a write after which a call is ended; 0 for never. It must be below the call's own timeout: a greater
 * value becomes that timeout less two minutes (as in bmalph), or half of a very short one.
 */
export function writeTimeoutMinutes(
  settings: Pick<Settings, "WRITE_TIMEOUT_MINUTES" | "CLAUDE_TIMEOUT_MINUTES">,
): number {
  const { WRITE_TIMEOUT_MINUTES: wanted, CLAUDE_TIMEOUT_MINUTES: timeout } = settings;
  if (wanted < timeout) return wanted;
  return timeout > MARGIN_MINUTES ? timeout - MARGIN_MINUTES : timeout / 2;
}
