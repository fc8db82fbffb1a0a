import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { wordsForPrompt } from "../args/words-for-prompt.ts";
import type { CommandContext } from "../context.ts";
import type { SayArgs } from "../definitions/say.ts";
import { projectState } from "../project-state.ts";
import { recordInNewestRun } from "../reset.ts";
import { nextRun } from "../run/go-on.ts";
import { tellOrKeep } from "../run/send-control.ts";

/**
 * `ralph say TEXT`: adds the user's words to the agent's next prompt. Without a live run they are recorded for the next one, as an answer is.
 * @throws RalphError `usage` for no words or too many; `environment` if there was no run yet, or an agent speaks
 */
export async function run(context: CommandContext<SayArgs>): Promise<number> {
  const none = { message: "There is nothing to say.", hint: 'As in: ralph say "Use yargs"' };
  const text = wordsForPrompt(context.args.text, USER_MESSAGE_MAX_CHARS, none);
  return tellOrKeep(context, { command: "say", text }, async (missed) => {
    const { state } = await projectState(context.projectDir);
    if (state.run === "") throw missed;
    await recordInNewestRun(context, async ({ append }) => append({ type: "said", text }));
    if (!context.args.quiet)
      context.stdout(`No run is live: it goes into the first prompt of the next one. Begin with: ${nextRun(state)}\n`);
  });
}
