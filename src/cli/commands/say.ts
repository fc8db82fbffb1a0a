import { continueCommand } from "../../core/continue-command.ts";
import { RalphError } from "../../core/errors.ts";
import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import type { SayArgs } from "../definitions/say.ts";
import { projectState } from "../project-state.ts";
import { recordInNewestRun } from "../reset.ts";
import { leavesWork } from "../run/go-on.ts";
import { controlRun, refuseAgents } from "../run/send-control.ts";

/**
 * `ralph say TEXT`: adds the user's words to the agent's next prompt. Without a live run they are recorded for the next one, as an answer is.
 * @throws RalphError `usage` for no words or too many; `environment` if there was no run yet, or an agent speaks
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
  if (refuseAgents(context, checkRalphDir(context.projectDir)) !== null) return toLiveRun(context, text);
  const { state } = await projectState(context.projectDir);
  if (state.run === "") return toLiveRun(context, text); // which says that there is none
  await recordInNewestRun(context, async ({ append }) => append({ type: "said", text }));
  const next = leavesWork(state) ? continueCommand(state) : "ralph run";
  if (!context.args.quiet)
    context.stdout(`No run is live: it goes into the first prompt of the next one. Begin with: ${next}\n`);
  return 0;
}

function toLiveRun(context: CommandContext<SayArgs>, text: string): Promise<number> {
  return controlRun(context, { command: "say", text });
}
