import { RalphError } from "../core/errors.ts";
import type { CommandContext } from "./context.ts";

/**
 * A question is only put to a person who sees it and can answer (product.md, "Commands"): a dumb terminal, as that in an
 * editor, shows the questions' cursor movements as text and hands on no arrow keys.
 */
export function canAsk({ isTty, env }: Pick<CommandContext, "isTty" | "env">): boolean {
  return isTty.stdin && isTty.stdout && env.TERM !== "dumb";
}

/**
 * Asks yes or no on the terminal; no is the answer of whoever just presses Enter.
 * @throws RalphError `usage` if the person goes away (Ctrl+C)
 */
export async function confirm(message: string): Promise<boolean> {
  const clack = await import("@clack/prompts");
  const answer = await clack.confirm({ message, initialValue: false });
  if (clack.isCancel(answer)) throw new RalphError("usage", "Nothing was done.");
  return answer;
}
