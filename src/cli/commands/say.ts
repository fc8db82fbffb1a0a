import { RalphError } from "../../core/errors.ts";
import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import type { CommandContext } from "../context.ts";
import type { SayArgs } from "../definitions/say.ts";
import { controlRun } from "../run/send-control.ts";

/**
 * `ralph say TEXT`: adds the user's words to the agent's next prompt.
 * @throws RalphError `usage` for no words or too many
 */
export async function run(context: CommandContext<SayArgs>): Promise<number> {
  const text = context.args.text.join(" ").trim();
  if (text === "") throw new RalphError("usage", "There is nothing to say.", { hint: 'As in: ralph say "Use yargs"' });
  if (text.length > USER_MESSAGE_MAX_CHARS)
    throw new RalphError(
      "usage",
      `That is too long: ${text.length} characters, and at most ${USER_MESSAGE_MAX_CHARS} are allowed.`,
      {
        hint: "Write it into a file of the project, and say where it is.",
      },
    );
  return controlRun(context, { command: "say", text });
}
