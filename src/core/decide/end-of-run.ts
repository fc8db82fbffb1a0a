/** What the end of a run records before it: the loop writes it, and what-if knows by it that a run is ending. */
import type { State } from "../journal/state.ts";
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import type { SessionResetReason } from "./session.ts";

const CLOSING_RESETS = [
  "project_complete",
  "circuit_breaker_open",
  "permission_denied",
  "no_headway",
  "manual_interrupt",
] as const satisfies readonly SessionResetReason[];

type ClosingReset = (typeof CLOSING_RESETS)[number];

/** Why the end of a run also resets the agent's session, if it does (product.md "Session resets"). */
export function closingReset(reason: StopReason, state: Pick<State, "stop_requested">): ClosingReset | null {
  const stop = STOP_REASONS[reason];
  if (stop.status === "completed") return "project_complete";
  if (stop.action === "circuit_breaker_open") return "circuit_breaker_open";
  if (reason === "permission_denied" || reason === "denied_repeatedly") return "permission_denied";
  if (reason === "no_headway") return "no_headway";
  if (reason === "interrupted" || state.stop_requested?.by === "SIGINT") return "manual_interrupt";
  return null;
}

/** Whether a reset may be one of those with which a run ends. */
export function isClosingReset(reason: SessionResetReason): boolean {
  return CLOSING_RESETS.some((one) => one === reason);
}

const BY_LIMIT = "the limit ended it";
const WHILE_WAITING = "the run ended while it waited";

/** Why an iteration that is still open at the end of a run was interrupted. */
export function whyInterrupted(reason: StopReason): string {
  return reason === "usage_limit" ? BY_LIMIT : WHILE_WAITING;
}

/** Whether an iteration was interrupted by the end of its run, and not by a stop or a kill. */
export function isInterruptedByEnd(why: string): boolean {
  return why === BY_LIMIT || why === WHILE_WAITING;
}
