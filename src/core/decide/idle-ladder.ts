import { MINUTE_MS } from "../durations.ts";
import type { Settings } from "../settings/settings.ts";
import { MAX_BACKOFF_MS } from "../stop/usage-limit.ts";

/** Each second idle answer brings a new conversation: the old one has been asked once, in words. */
const FRESH_EVERY = 2;
/** Idle answers before the first pause. */
const PAUSE_FROM = 3;

/** Whether idle answers are met with other strategies than "again" (product.md "Idle answers"). */
export function climbsLadder({ DONE_POLICY }: Pick<Settings, "DONE_POLICY">): boolean {
  return DONE_POLICY === "evidence";
}

/** Whether the next call begins a new conversation, because the one so far came to a standstill. */
export function isFreshLookDue(idle: number, settings: Pick<Settings, "DONE_POLICY" | "SESSION_RENEW">): boolean {
  return climbsLadder(settings) && settings.SESSION_RENEW !== "never" && idle > 0 && idle % FRESH_EVERY === 0;
}

/** The pause before the next call, in ms: 1, 2, 4 … minutes from the third idle answer on. */
export function idlePause(idle: number, settings: Pick<Settings, "DONE_POLICY">): number {
  if (!climbsLadder(settings) || idle < PAUSE_FROM) return 0;
  return Math.min(MINUTE_MS * 2 ** (idle - PAUSE_FROM), MAX_BACKOFF_MS);
}
