import { RalphError } from "../../core/errors.ts";
import { parseRalphrc } from "../../core/settings/ralphrc.ts";
import { noEffectIn, refusalOf } from "../../core/settings/resolve-settings.ts";
import type { SettingName } from "../../core/settings/settings.ts";
import { assignment } from "../../setup/assignment.ts";
import { withSetting } from "../../setup/edit-settings.ts";
import { byOwnHand } from "../agent/own-hand.ts";
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
import type { ConfigSetArgs } from "../definitions/config.ts";

/**
 * `ralph config set NAME=VALUE...`: writes settings into the project's file, or with `--user` into the one for all projects. All
 * or none; every other byte of the file stays.
 * @throws RalphError `usage` for an unknown setting or a value that is not allowed, `environment` if an agent asks
 */
export async function run(context: CommandContext<ConfigSetArgs>): Promise<number> {
  const { words, user, quiet } = context.args;
  const target = openTarget(context, user);
  const changes = pairsOf(words).map(([key, value]) => [checked(key, value, user), value] as const);
  const text = changes.reduce((lines, [name, value]) => withSetting(lines, name, value), target.text);
  const names = changes.map(([name]) => name);
  await byOwnHand(context.projectDir, context.env, () => saveTarget(target, text), user ? [] : names);
  if (quiet) return 0;
  const now = settingsNow(context);
  for (const [name, value] of changes) {
    context.stdout(`${assignment(name, value)} now stands in ${target.shown}.\n`);
    const before = overruledBy(name, target, now);
    if (before !== null) context.log.warn(before);
  }
  tellOfProblems(context, now);
  tellOfLiveRun(context);
  return 0;
}

/** The names and values of `A=1 B=2`, or of `A 1`. */
function pairsOf(words: readonly string[]): [string, string][] {
  const [first = "", second] = words;
  if (words.length === 2 && second !== undefined && !first.includes("=")) return [[first, second]];
  return words.map((word) => {
    const at = word.indexOf("=");
    if (at < 1)
      throw new RalphError("usage", `${JSON.stringify(word)} is not of the form NAME=VALUE.`, {
        hint: "As in: ralph config set MAX_TIME=8h MAX_ITERATIONS=30",
      });
    return [word.slice(0, at), word.slice(at + 1)];
  });
}

/** @throws RalphError `usage` if the setting cannot have this value there */
function checked(key: string, value: string, isUsers: boolean): SettingName {
  const name = requireSetting(key);
  const refuse = (message: string, hint: string | null = null): never => {
    throw new RalphError("usage", message, { hint });
  };
  const noEffect = noEffectIn(isUsers ? "user" : "file", name);
  if (noEffect !== null) refuse(noEffect);
  if (value.trim() === "") refuse(`${name} has no value here.`, `The default again: ralph config unset ${name}`);
  const refusal = refusalOf(name, value);
  if (refusal !== null) refuse(refusal);
  if (parseRalphrc(assignment(name, value), { env: {} }).assignments[0]?.value !== value)
    refuse(`${name} cannot have this value in a file: a value is one line without control characters.`);
  return name;
}
