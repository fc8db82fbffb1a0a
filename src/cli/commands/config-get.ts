import { masksOf } from "../../core/secrets/mask.ts";
import { isUnset } from "../../core/settings/setting-text.ts";
import { visibleStyles } from "../../core/text/plain-text.ts";
import { requireSetting } from "../config/settings-target.ts";
import type { CommandContext } from "../context.ts";
import type { ConfigGetArgs } from "../definitions/config.ts";
import { loadSettings } from "../load-settings.ts";
import { givenText } from "../show/config-text.ts";

/**
 * `ralph config get NAME`: the value that is in effect, as a settings file would hold it; an empty line for none.
 * @throws RalphError `usage` for an unknown setting, and as `ralph config list`: what stands in for a value that no run takes is in effect nowhere
 */
export async function run(context: CommandContext<ConfigGetArgs>): Promise<number> {
  const name = requireSetting(context.args.name);
  const resolved = loadSettings(context);
  const value = resolved.settings[name];
  const mask = masksOf(resolved.settings, context.env).text;
  context.stdout(`${isUnset(value) ? "" : visibleStyles(mask(givenText(name, resolved)))}\n`);
  return 0;
}
