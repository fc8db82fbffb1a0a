import type { EnvVars } from "../env-vars.ts";
import { parseRalphrc } from "./ralphrc.ts";
import { type ResolvedSettings, resolveSettings, type SettingsFile } from "./resolve-settings.ts";
import type { SettingValue } from "./setting-spec.ts";
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
 * The settings of a project's file that run something, that widen rights or raise a bound of cost which the user set for all projects, or
 * widen the sandbox which the user asked for, or that give away a variable of the environment. A value from a flag or the environment is the user's
 * own. Files and drivers are not among them: whether they count depends on where they lie. Source: product.md "Trust".
 * @param anyRun also what would widen the sandbox of a run that is started with `--sandbox`
 */
export function settingClaims(
  resolved: Pick<ResolvedSettings, "settings" | "sources">,
  { file, user, env }: { file: SettingsFile | null; user: SettingsFile | null; env: EnvVars },
  anyRun = false,
): Claim[] {
  const { settings, sources } = resolved;
  const names = SETTING_NAMES.filter((name) => sources[name].source === "file");
  if (file === null || names.length === 0) return [];
  const lines = markedLines(file.text, env);
  const without = resolveSettings({ flags: {}, env, file: null, user });
  const wall = usersWall(resolved, without, anyRun);
  const asksForRights = (name: SettingName) => {
    if (WALL.has(name)) return wall !== null && widensWall(name, settings, { ...without.settings, SANDBOX: wall });
    return without.sources[name].source === "user" && widens(name, settings, without.settings);
  };
  return names.flatMap((name) => {
    const { where } = sources[name];
    const said = lines.get(Number(where?.slice(where.lastIndexOf(":") + 1))) ?? "";
    const { trust, kind } = settingSpec(name);
    const claims =
      trust === "program" || trust === "check"
        ? settings[name] !== null
        : trust === "rights"
          ? asksForRights(name)
          : kind === "money"
            ? without.sources[name].source === "user" && isMoreMoney(settings[name], without.settings[name])
            : (kind === "text" || kind === "form" || kind === "list") &&
              variablesIn(said).some((one) => one !== name && !NO_SECRETS.has(one));
    return claims ? [{ key: name, value: said.replace(VARIABLE, "${$1}"), where }] : [];
  });
}

/** The sandbox that the user asked for, by whatever way; null for none, as the walls of a project's own are the project's. */
function usersWall(
  { settings, sources }: Pick<ResolvedSettings, "settings" | "sources">,
  without: Pick<ResolvedSettings, "settings" | "sources">,
  anyRun: boolean,
): Wall | null {
  const isFlag = sources.SANDBOX.source === "flag";
  const asked = isFlag ? settings.SANDBOX : without.settings.SANDBOX;
  if (asked !== "none") return asked;
  return anyRun && !isFlag ? "any" : null;
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

type Rights = Pick<ResolvedSettings["settings"], "ALLOWED_TOOLS" | "CLAUDE_PERMISSION_MODE" | "SANDBOX">;

function widens(name: SettingName, now: Rights, before: Rights): boolean {
  if (name === "ALLOWED_TOOLS") return now.ALLOWED_TOOLS.some((tool) => !before.ALLOWED_TOOLS.includes(tool));
  if (name === "SANDBOX") return now.SANDBOX !== before.SANDBOX;
  return MODES.indexOf(now.CLAUDE_PERMISSION_MODE) > MODES.indexOf(before.CLAUDE_PERMISSION_MODE);
}

/** `any` is whatever engine a run may be started with. */
type Wall = ResolvedSettings["settings"]["SANDBOX"] | "any";

/** Whether a bound of cost allows more than another one; null is none. */
export function isMoreMoney(now: SettingValue, before: SettingValue): boolean {
  return typeof before === "number" && !(typeof now === "number" && now <= before);
}

/** What a sandbox lets through: the user's values count with their defaults. */
const WALL: ReadonlySet<SettingName> = new Set([
  "SANDBOX_ALLOW_DOMAINS",
  "SANDBOX_ENV",
  "SANDBOX_IMAGE",
  "SANDBOX_MEMORY",
  "SANDBOX_CPUS",
]);

type WallRights = Pick<
  ResolvedSettings["settings"],
  "SANDBOX_ALLOW_DOMAINS" | "SANDBOX_ENV" | "SANDBOX_IMAGE" | "SANDBOX_MEMORY" | "SANDBOX_CPUS"
>;

function widensWall(name: SettingName, now: WallRights, before: WallRights & { SANDBOX: Wall }): boolean {
  switch (name) {
    case "SANDBOX_ALLOW_DOMAINS":
      return reachesMore(now.SANDBOX_ALLOW_DOMAINS, before.SANDBOX_ALLOW_DOMAINS);
    case "SANDBOX_ENV":
      return now.SANDBOX_ENV.some((one) => !before.SANDBOX_ENV.includes(one));
    case "SANDBOX_IMAGE":
      return before.SANDBOX !== "os" && now.SANDBOX_IMAGE !== before.SANDBOX_IMAGE;
    case "SANDBOX_MEMORY":
      return before.SANDBOX !== "os" && isMore(now.SANDBOX_MEMORY, before.SANDBOX_MEMORY);
    default:
      return before.SANDBOX !== "os" && isMore(now.SANDBOX_CPUS, before.SANDBOX_CPUS);
  }
}

/** `none` beats every host beside it, and `*` is all of them. */
function reachesMore(now: readonly string[], before: readonly string[]): boolean {
  if (now.includes("none")) return false;
  if (before.includes("none")) return true;
  return !before.includes("*") && now.some((host) => !before.includes(host));
}

function isMore(now: string, before: string): boolean {
  return sizeOf(now) > sizeOf(before);
}

function sizeOf(text: string): number {
  const [, figure, unit = ""] = /^(\d+(?:\.\d+)?)([bkmg]?)$/i.exec(text) ?? [];
  return Number(figure) * 1024 ** Math.max(0, "bkmg".indexOf(unit.toLowerCase() || "b"));
}
