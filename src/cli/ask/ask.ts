import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { wantsPlain } from "../terminal.ts";
import { type Asker, type AskIo, isGone } from "./asker.ts";

/** Questions that are drawn, or plain numbered lines for who wants nothing drawn over. */
export async function openAsker(env: EnvVars, io: AskIo = {}): Promise<Asker> {
  return wantsPlain(env)
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
