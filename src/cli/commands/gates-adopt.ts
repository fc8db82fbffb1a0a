import { gateCommands } from "../../core/decide/gate-rules.ts";
import { RalphError } from "../../core/errors.ts";
import type { SettingName } from "../../core/settings/settings.ts";
import { splitCommands } from "../../core/text/shell-words.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { withSetting } from "../../setup/edit-settings.ts";
import { byOwnHand } from "../agent/own-hand.ts";
import { openTarget, saveTarget } from "../config/settings-target.ts";
import type { CommandContext } from "../context.ts";
import type { GatesAdoptArgs } from "../definitions/gates.ts";
import { loadSettings } from "../load-settings.ts";
import { inspectSite } from "../setup/inspect-site.ts";

/**
 * `ralph gates adopt [COMMAND]`: writes a check into the settings file, as a gate that "done" needs from the next run on.
 * @throws RalphError `environment` if an agent asks, this is no Ralph project, a live run would take a new settings file away, or no
 * check is found; `usage` if the command would be several gates
 */
export async function run(context: CommandContext<GatesAdoptArgs>): Promise<number> {
  const { projectDir } = context;
  checkRalphDir(projectDir);
  const target = openTarget(context, false);
  const { settings } = loadSettings(context);
  const command = (context.args.command ?? []).join(" ").trim() || inspectSite(context, null).findings.commands.test;
  if (command === null)
    throw new RalphError("environment", "No check is found in this project.", {
      hint: 'Name it, as in: ralph gates adopt "make check"',
    });
  const isGate = gateCommands(settings).includes(command);
  const gate: [SettingName, string] =
    settings.TEST_COMMAND === null
      ? ["TEST_COMMAND", command]
      : ["QUALITY_GATES", [...settings.QUALITY_GATES, command].join(";")];
  if (!isGate && gate[0] === "QUALITY_GATES" && splitCommands(command).length > 1)
    throw new RalphError("usage", `\`${command}\` would be more than one gate: QUALITY_GATES has a ; between them.`, {
      hint: "Adopt them one by one, join them with &&, or put them into a script.",
    });
  const changes: [SettingName, string][] = [
    ...(isGate ? [] : [gate]),
    ...(settings.DONE_POLICY === "evidence" ? [] : [["DONE_POLICY", "evidence"] satisfies [SettingName, string]]),
  ];
  const changed = changes.reduce((lines, [name, value]) => withSetting(lines, name, value), target.text);
  if (changes.length > 0) await byOwnHand(projectDir, context.env, () => saveTarget(target, changed));
  if (!context.args.quiet)
    context.stdout(
      changes.length === 0
        ? `\`${command}\` is a gate already.\n`
        : `\`${command}\` is a gate from the next run on: "done" needs it green (${target.shown}).\n`,
    );
  return 0;
}
