import type { CommandContext } from "./context.ts";

type Context = Pick<CommandContext, "isTty" | "env">;

/**
 * Whether a stream is a terminal that understands cursor movements. A dumb one, as in an editor, shows them as text.
 */
export function canDraw({ isTty, env }: Context, stream: "stdout" | "stderr" = "stdout"): boolean {
  return isTty[stream] && env.TERM !== "dumb";
}

/** Whether a person sees questions and can answer. A terminal that cannot draw gets them as plain lines (`cli/ask/`). */
export function canAsk({ isTty }: Context): boolean {
  return isTty.stdin && isTty.stdout;
}
