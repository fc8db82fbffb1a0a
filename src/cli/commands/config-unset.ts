import { withoutSetting } from "../../setup/edit-settings.ts";
import {
  openTarget,
  overruledBy,
  requireSetting,
  saveTarget,
  settingsNow,
  tellOfLiveRun,
  tellOfProblems,
} from "../config/settings-target.ts";
import type { CommandContext } from "../context.ts";
import type { ConfigUnsetArgs } from "../definitions/config.ts";

/**
 * `ralph config unset NAME...`: takes settings out of the project's file, or with `--user` out of the one for all projects.
 * @throws RalphError `usage` for an unknown setting, `environment` if an agent asks
 */
export async function run(context: CommandContext<ConfigUnsetArgs>): Promise<number> {
  const { names, user, quiet } = context.args;
  const target = openTarget(context, user);
  const settings = names.map(requireSetting);
  const text = settings.reduce(withoutSetting, target.text);
  if (text !== target.text) saveTarget(target, text);
  if (quiet) return 0;
  const now = settingsNow(context);
  for (const name of settings) {
    const was = withoutSetting(target.text, name) !== target.text;
    context.stdout(`${name} ${was ? "no longer stands" : "does not stand"} in ${target.shown}.\n`);
    const left = overruledBy(name, target, now);
    if (left !== null) context.log.warn(left.replace("comes before it", "still sets it"));
  }
  tellOfProblems(context, now);
  tellOfLiveRun(context);
  return 0;
}
