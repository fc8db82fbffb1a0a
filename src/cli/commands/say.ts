import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { wordsForPrompt } from "../args/words-for-prompt.ts";
import type { CommandContext } from "../context.ts";
import type { SayArgs } from "../definitions/say.ts";
import { projectState } from "../project-state.ts";
import { recordInNewestRun } from "../reset.ts";
import { nextRun } from "../run/go-on.ts";
import { controlRun, refuseAgents } from "../run/send-control.ts";

/**
 * `ralph say TEXT`: adds the user's words to the agent's next prompt. Without a live run they are recorded for the next one, as an answer is.
 * @throws RalphError `usage` for no words or too many; `environment` if there was no run yet, or an agent speaks
 */
export async function run(context: CommandContext<SayArgs>): Promise<number> {
  const none = { message: "There is nothing to say.", hint: 'As in: ralph say "Use yargs"' };
  const text = wordsForPrompt(context.args.text, USER_MESSAGE_MAX_CHARS, none);
  const toLiveRun = () => controlRun(context, { command: "say", text });
  if (refuseAgents(context, checkRalphDir(context.projectDir)) !== null) return toLiveRun();
  const { state } = await projectState(context.projectDir);
  if (state.run === "") return toLiveRun(); // which says that there is none
  await recordInNewestRun(context, async ({ append }) => append({ type: "said", text }));
  if (!context.args.quiet)
    context.stdout(`No run is live: it goes into the first prompt of the next one. Begin with: ${nextRun(state)}\n`);
  return 0;
}
