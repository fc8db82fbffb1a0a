import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { withSecrets } from "../../core/secrets/env-secrets.ts";
import { createMasks } from "../../core/secrets/mask.ts";
import { type FlagSettings, type ResolvedSettings, resolveSettings } from "../../core/settings/resolve-settings.ts";
import { isMoreMoney } from "../../core/settings/setting-claims.ts";
import { SETTING_NAMES, type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { visibleText } from "../../core/text/plain-text.ts";
import { createHost } from "../../effects/host.ts";
import { isOwnStart, rememberStart, type Start } from "../../effects/user/own-starts.ts";
import { parseArgs } from "../args/parse-args.ts";
import type { CommandContext } from "../context.ts";
import { RUN_WORDS } from "../definitions/shared-args.ts";
import { loadSettings } from "../load-settings.ts";

/**
 * Sees that what a run was given was given by this user, in this folder, before it is repeated in their name: the journal that tells
 * it may have come with a clone (product.md "Trust"). What a project's settings may say unasked is not asked about here.
 * @param start as the journal has it
 * @throws RalphError `environment` if the user began no such run, and gives no `--trust` now
 */
export function requireOwnWords(
  start: Start,
  { projectDir, env, settings }: Pick<CommandContext, "projectDir" | "env" | "settings">,
): void {
  const whole = {
    task: start.task === null ? null : withSecrets(start.task, env),
    words: start.words.map((word) => withSecrets(word, env)),
  };
  const hasSecrets = textsOf(whole).join("\n") !== textsOf(start).join("\n");
  const now = loadSettings({ settings, env, projectDir });
  const asked = [...onlyOfUser(start.words, now), ...(hasSecrets ? ["secrets of your environment"] : [])];
  if (asked.length === 0 || isOwnStart(projectDir, whole, createHost(projectDir, env))) return;
  if (now.settings.RALPH_TRUST) return;
  throw new RalphError(
    "environment",
    `The run to go on with is none that you began in this folder so, and it would get: ${asked.join(", ")}.`,
    {
      hint: "If you know it to be yours, say so with --trust. Else begin one of your own, with a task or a prompt file.",
    },
  );
}

/** Remembers what this user gave a run that begins. A folder that cannot be written costs a `--trust` later, and no run. */
export function rememberOwnWords(start: Start, { projectDir, env }: { projectDir: string; env: EnvVars }): void {
  const mask = createMasks(env).text;
  if (onlyOfUser(start.words, null).length === 0 && textsOf(start).every((text) => mask(text) === text)) return;
  try {
    rememberStart(projectDir, start, createHost(projectDir, env));
  } catch {
    // Whoever goes on with the run is asked for `--trust` then.
  }
}

function textsOf({ task, words }: Start): string[] {
  return [task ?? "", ...words];
}

/**
 * The flags that give what a project may not, or not unasked, and those that no run records.
 * @param now what its user says otherwise: a bound of cost is asked about only where it raises theirs; null for whatever they say
 */
function onlyOfUser(words: readonly string[], now: ResolvedSettings | null): string[] {
  const { settings, given } = parseArgs(RUN_WORDS, words);
  const recorded: (string | undefined)[] = ["mode", ...SETTING_NAMES.map((name) => settingSpec(name).flag?.name)];
  const forged = given.filter((name) => !recorded.includes(name)).map((name) => `--${name}`);
  const ofUser = SETTING_NAMES.flatMap((name) => {
    const { trust, personal, flag, kind } = settingSpec(name);
    const said = settings[name];
    const isAsked = trust !== undefined || personal !== undefined || (kind === "money" && raises(name, settings, now));
    if (said === undefined || !isAsked) return [];
    return [flag?.hint === undefined ? said.flag : `${said.flag}=${visibleText(said.text)}`];
  });
  return [...ofUser, ...forged];
}

function raises(name: SettingName, flags: FlagSettings, now: ResolvedSettings | null): boolean {
  if (now === null) return true;
  const isUsers = now.sources[name].source === "env" || now.sources[name].source === "user";
  return isUsers && isMoreMoney(resolveSettings({ flags, env: {}, file: null }).settings[name], now.settings[name]);
}
