import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { type Asker, type AskIo, isGone } from "./asker.ts";

/**
 * Whether questions are plain numbered lines, for screen readers and terminals that cannot move the cursor. ACCESSIBLE is the
 * name that other programs' questions read too.
 */
export function asksPlainly({ TERM, ACCESSIBLE }: EnvVars): boolean {
  return TERM === "dumb" || !["", "0", "false"].includes(ACCESSIBLE ?? "");
}

export async function openAsker(env: EnvVars, io: AskIo = {}): Promise<Asker> {
  return asksPlainly(env)
    ? (await import("./plain-asker.ts")).plainAsker(io)
    : (await import("./clack-asker.ts")).clackAsker(io);
}

/**
 * Asks yes or no on the terminal.
 * @param enter what Enter alone means
 * @throws RalphError `usage` if the user cancels (Ctrl+C)
 */
export async function confirm(message: string, enter = false, env: EnvVars = process.env): Promise<boolean> {
  const answer = await (await openAsker(env)).confirm(message, enter);
  if (isGone(answer)) throw new RalphError("usage", "Nothing was done.");
  return answer;
}
