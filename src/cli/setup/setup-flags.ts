import { resolveSettings } from "../../core/config.ts";
import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { SettingName } from "../../core/settings.ts";
import { createHost } from "../../effects/host.ts";
import type { Given } from "../../setup/decide.ts";
import { folderNameProblem } from "../../setup/folder-name.ts";
import type { CommandContext } from "../context.ts";
import { driverNames } from "../find-driver.ts";

type Words = {
  name?: string | undefined;
  type?: string | undefined;
  "test-command"?: string | undefined;
  label?: string | undefined;
};

/**
 * The answers that flags give, checked; PLATFORM_DRIVER of the environment is a wish, not an answer.
 * @throws RalphError `usage` for a value that is not allowed
 */
export function givenByFlags(
  context: Pick<CommandContext, "settings" | "env" | "projectDir">,
  args: Words,
  taskSources: readonly string[] | null,
): Given {
  const { problems } = resolveSettings({ flags: context.settings, env: {}, file: null });
  const [first] = problems;
  if (first !== undefined)
    throw new RalphError(first.code, problems.map(({ message }) => message).join("\n"), { hint: first.hint });
  const flag = (name: SettingName) => context.settings[name]?.text ?? null;
  return {
    name: args.name ?? null,
    type: args.type ?? null,
    testCommand: args["test-command"] ?? null,
    label: args.label ?? null,
    driver: knownDriver(flag("PLATFORM_DRIVER"), context),
    calls: flag("MAX_CALLS_PER_HOUR"),
    maxIterations: flag("MAX_ITERATIONS"),
    maxTime: flag("MAX_TIME"),
    taskSources,
  };
}

/** A name has to be a driver's; whether a path is one is seen when it is loaded. */
function knownDriver(
  name: string | null,
  { env, projectDir }: Pick<CommandContext, "env" | "projectDir">,
): string | null {
  if (name === null || /[\\/.]/.test(name)) return name;
  const names = driverNames(createHost(projectDir, env));
  if (names.includes(name)) return name;
  throw new RalphError("usage", `There is no driver called ${JSON.stringify(name)}.${didYouMean(name, names)}`, {
    hint: `Drivers: ${names.join(", ")}.`,
  });
}

/** @throws RalphError `usage` for a name that cannot be a folder's everywhere */
export function requireFolderName(name: string): string {
  const problem = folderNameProblem(name);
  if (problem === null) return name;
  throw new RalphError("usage", `${JSON.stringify(name)} cannot be the name of a project's folder: ${problem}.`, {
    hint: "Choose another name; -C DIR says where the folder is to be.",
  });
}
