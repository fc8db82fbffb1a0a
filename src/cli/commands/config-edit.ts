import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { editorCommand } from "../../effects/terminal/editor.ts";
import { runInForeground } from "../../effects/terminal/run-in-foreground.ts";
import { byOwnHand } from "../agent/own-hand.ts";
import { openTarget, tellOfLiveRun } from "../config/settings-target.ts";
import type { CommandContext } from "../context.ts";
import type { ConfigEditArgs } from "../definitions/config.ts";
import { loadSettings } from "../load-settings.ts";
import { warningText } from "../show/config-text.ts";

/**
 * `ralph config edit`: opens the project's settings file, or with `--user` the one for all projects, in the user's editor.
 * @throws RalphError `environment` if an agent asks or the editor cannot be used, `config` if what was saved cannot be used
 */
export async function run(context: CommandContext<ConfigEditArgs>): Promise<number> {
  const { env, isTty } = context;
  const { file } = openTarget(context, context.args.user);
  if (!isTty.stdin || !isTty.stdout)
    throw new RalphError("environment", "There is no terminal for an editor.", {
      hint: "Without one: ralph config set NAME=VALUE",
    });
  mkdirSync(dirname(file), { recursive: true });
  const editor = editorCommand(env, process.platform);
  const code = await byOwnHand(context.projectDir, env, () => runInForeground([...editor, file], env));
  if (code !== 0)
    throw new RalphError(
      "environment",
      `The editor ${JSON.stringify(editor.join(" "))} ended with ${code ?? "an error"}.`,
      {
        hint: `Name another in EDITOR, or open ${file} yourself.`,
      },
    );
  for (const warning of loadSettings({ ...context, settings: {} }).warnings) context.log.warn(warningText(warning));
  tellOfLiveRun(context);
  return 0;
}
