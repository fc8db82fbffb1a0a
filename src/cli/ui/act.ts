import { controlCommandIn } from "../../core/control-command.ts";
import { RalphError } from "../../core/errors.ts";
import { fieldsOf, str } from "../../core/json-value.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { controlRun, liveRun } from "../run/send-control.ts";

/**
 * Does what a button of the page asks for, by the same way as the command of that name.
 * @param body `project`: its path; `run`: what the page shows; `command`: as in control-command.ts
 * @returns what the command would print
 * @throws RalphError as that command
 */
export async function act(context: CommandContext<UiArgs>, project: string, body: unknown): Promise<string> {
  const given = fieldsOf(body);
  const command = controlCommandIn(given.command);
  const run = str(given.run);
  if (command === null) throw new RalphError("usage", "The words are missing, or too many.");
  const ralph = checkRalphDir(project);
  const { here, told } = contextIn(context, project);
  const live = liveRun(ralph);
  if (live !== null && run !== null && live !== run)
    throw new RalphError("environment", "Another run is live by now.", {
      hint: "Open the newest run of this project.",
    });
  if (command.command === "answer") {
    const { run: answer } = await import("../commands/inbox-answer.ts");
    await answer({ ...here, args: { ...here.args, number: String(command.number), text: [command.text] } });
  } else if (command.command === "say") {
    const { run: say } = await import("../commands/say.ts");
    await say({ ...here, args: { ...here.args, text: [command.text] } });
  } else await controlRun(here, command);
  return told();
}

/** A command's context in a project of the page: its words are kept, and nobody sits at a terminal that it could ask. */
export function contextIn(
  context: CommandContext<UiArgs>,
  project: string,
): { here: CommandContext<UiArgs>; told(): string } {
  let told = "";
  const here: CommandContext<UiArgs> = {
    ...context,
    projectDir: project,
    args: { ...context.args, quiet: false },
    isTty: { stdin: false, stdout: false, stderr: false },
    color: false,
    stdout: (text) => {
      told += text;
    },
  };
  return { here, told: () => told.trim() };
}
