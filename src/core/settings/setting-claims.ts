import type { EnvVars } from "../env-vars.ts";
import { parseRalphrc } from "./ralphrc.ts";
import { type ResolvedSettings, resolveSettings, type SettingsFile } from "./resolve-settings.ts";
import { SETTING_NAMES, type SettingName, settingSpec } from "./settings.ts";

/** What a project makes run or reach. `value` is what it says, with the names of environment variables and not their values. */
export type Claim = { key: string; value: string; where: string | null };

/** From the least to the most that an agent may do unasked (Claude Code, "Permission modes"). */
const MODES = ["plan", "default", "dontAsk", "acceptEdits", "auto", "bypassPermissions"];

/** The home folder is no secret. */
const NO_SECRETS = new Set(["HOME", "USERPROFILE"]);

/** Stands around the name of a variable of the environment; a line of text has none. */
const MARK = "\u0000";
const VARIABLE = new RegExp(`${MARK}(\\w+)${MARK}`, "g");

/**
 * The settings of a project's file that run something, that widen rights which the user set for all projects, or that give away
 * a variable of the environment. A value from a flag or the environment is the user's own. Files and drivers are not among them:
 * whether they count depends on where they lie. Source: product.md "Trust".
 */
export function settingClaims(
  { settings, sources }: Pick<ResolvedSettings, "settings" | "sources">,
  { file, user, env }: { file: SettingsFile | null; user: SettingsFile | null; env: EnvVars },
): Claim[] {
  const names = SETTING_NAMES.filter((name) => sources[name].source === "file");
  if (file === null || names.length === 0) return [];
  const lines = markedLines(file.text, env);
  const without = resolveSettings({ flags: {}, env, file: null, user });
  return names.flatMap((name) => {
    const { where } = sources[name];
    const said = lines.get(Number(where?.slice(where.lastIndexOf(":") + 1))) ?? "";
    const { trust, kind } = settingSpec(name);
    const claims =
      trust === "program" || trust === "check"
        ? settings[name] !== null
        : trust === "rights"
          ? without.sources[name].source === "user" && widens(name, settings, without.settings)
          : (kind === "text" || kind === "list") &&
            variablesIn(said).some((one) => one !== name && !NO_SECRETS.has(one));
    return claims ? [{ key: name, value: said.replace(VARIABLE, "${$1}"), where }] : [];
  });
}

/** The value of each line, by its number, with the names of variables of the environment for their values. */
function markedLines(text: string, env: EnvVars): Map<number, string> {
  const names = Object.keys(env).filter((name) => (env[name] ?? "") !== "");
  const marked = Object.fromEntries(names.map((name) => [name, `${MARK}${name}${MARK}`]));
  return new Map(parseRalphrc(text, { env: marked }).assignments.map(({ line, value }) => [line, value]));
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = ""]) => name);
}

type Rights = Pick<
  ResolvedSettings["settings"],
  "ALLOWED_TOOLS" | "CLAUDE_PERMISSION_MODE" | "SANDBOX" | "SANDBOX_ALLOW_DOMAINS" | "SANDBOX_ENV"
>;

function widens(name: SettingName, now: Rights, before: Rights): boolean {
  if (name === "ALLOWED_TOOLS") return now.ALLOWED_TOOLS.some((tool) => !before.ALLOWED_TOOLS.includes(tool));
  if (name === "SANDBOX") return now.SANDBOX !== before.SANDBOX;
  if (name === "SANDBOX_ALLOW_DOMAINS" || name === "SANDBOX_ENV")
    return now[name].some((one) => !before[name].includes(one));
  return MODES.indexOf(now.CLAUDE_PERMISSION_MODE) > MODES.indexOf(before.CLAUDE_PERMISSION_MODE);
}
