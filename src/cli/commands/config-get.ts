import { masksOf } from "../../core/secrets/mask.ts";
import { isUnset } from "../../core/settings/setting-text.ts";
import { visibleStyles } from "../../core/text/plain-text.ts";
import { requireSetting, settingsNow } from "../config/settings-target.ts";
import type { CommandContext } from "../context.ts";
import type { ConfigGetArgs } from "../definitions/config.ts";
import { givenText } from "../show/config-text.ts";

/**
 * `ralph config get NAME`: the value that is in effect, as a settings file would hold it; an empty line for none.
 * @throws RalphError `usage` for an unknown setting, `config` if a file cannot be used
 */
export async function run({ args, ...context }: CommandContext<ConfigGetArgs>): Promise<number> {
  const name = requireSetting(args.name);
  const resolved = settingsNow(context);
  const value = resolved.settings[name];
  const mask = masksOf(resolved.settings, context.env).text;
  context.stdout(`${isUnset(value) ? "" : visibleStyles(mask(givenText(name, resolved)))}\n`);
  return 0;
}
