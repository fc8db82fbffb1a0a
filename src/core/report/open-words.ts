import type { BreakerReason } from "../stop/circuit-breaker.ts";

/** An open breaker and why it opened, in the words of bmalph's guide, which people search for. */
export function openWords(reason: BreakerReason): string {
  return `OPEN - ${reason === "permission_denials" ? "permission_denied" : reason.replaceAll("_", " ")}`;
}
