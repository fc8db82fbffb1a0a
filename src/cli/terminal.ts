import type { EnvVars } from "../core/env-vars.ts";
import type { CommandContext } from "./context.ts";

type Context = Pick<CommandContext, "isTty" | "env">;

/**
 * Whether the user wants lines that stay as they are: a dumb terminal, as in an editor, shows cursor movements as text, and a
 * screen reader reads what is drawn over again and again. ACCESSIBLE is the name that other programs' questions read too.
 */
export function wantsPlain({ TERM, ACCESSIBLE }: EnvVars): boolean {
  return TERM === "dumb" || !["", "0", "false"].includes(ACCESSIBLE ?? "");
}

/** Whether stdout is a terminal on which lines may be drawn over. */
export function canDraw({ isTty, env }: Context): boolean {
  return isTty.stdout && !wantsPlain(env);
}

/** Whether a person sees questions and can answer. A terminal that cannot draw gets them as plain lines (`cli/ask/`). */
export function canAsk({ isTty }: Context): boolean {
  return isTty.stdin && isTty.stdout;
}

/** Why there is no dashboard. */
export const NO_DASHBOARD = {
  none: "The dashboard needs a terminal",
  plain: "The dashboard is drawn over and over, which ACCESSIBLE or TERM=dumb forbids",
};
