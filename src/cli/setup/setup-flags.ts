import { join, relative, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { resolveSettings } from "../../core/settings/resolve-settings.ts";
import type { SettingName } from "../../core/settings/settings.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { isDriverPath } from "../../driver-host/locate-driver.ts";
import { createHost } from "../../effects/host.ts";
import { existingFile } from "../../effects/user/driver-files.ts";
import type { SetupFlags } from "../../setup/decide-answers.ts";
import { folderNameProblem } from "../../setup/folder-name.ts";
import { MAX_COMMAND, MAX_NAME, sanitizeName } from "../../setup/sanitize-text.ts";
import { driverNames } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";

type Words = {
  folder?: string | undefined;
  name?: string | undefined;
  type?: string | undefined;
  "test-command"?: string | undefined;
  label?: string | undefined;
  from?: string | undefined;
  prd?: string | undefined;
};

/**
 * The answers given by flags, checked. PLATFORM_DRIVER in the environment is a preference, not an answer.
 * @throws RalphError `usage` for a value that is not allowed
 */
export function readSetupFlags(
  context: Pick<CommandContext, "settings" | "env" | "projectDir">,
  args: Words,
  source: TaskSource | null,
): SetupFlags {
  const { problems } = resolveSettings({ flags: context.settings, env: {}, file: null });
  const [first] = problems;
  if (first !== undefined)
    throw new RalphError(first.code, problems.map(({ message }) => message).join("\n"), { hint: first.hint });
  for (const name of ["name", "type", "label", "test-command"] as const) requireLine(name, args[name]);
  const flag = (name: SettingName) => context.settings[name]?.text ?? null;
  return {
    name: args.name ?? null,
    type: args.type ?? null,
    testCommand: args["test-command"] ?? null,
    label: args.label ?? null,
    driver: knownDriver(flag("PLATFORM_DRIVER"), context, args.folder),
    calls: flag("MAX_CALLS_PER_HOUR"),
    maxIterations: flag("MAX_ITERATIONS"),
    maxTime: flag("MAX_TIME"),
    taskSources: source === null ? null : [settingOf(source.from)],
  };
}

/** The settings name one source for BMAD documents and a PRD. */
function settingOf(from: string): string {
  return from === "none" ? "local" : from === "bmad" ? "prd" : from;
}

/** Refuses a value that would not be one visible line in a file. */
function requireLine(flag: "name" | "type" | "label" | "test-command", value: string | undefined): void {
  if (value === undefined) return;
  const most = flag === "test-command" ? MAX_COMMAND : MAX_NAME;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no line holds
  const problem = /[\x00-\x1f\x7f]/.test(value)
    ? "holds a line end or a control character"
    : sanitizeName(value) === ""
      ? "holds no character that can be seen"
      : [...value].length > most
        ? `has more than ${most} characters`
        : null;
  if (problem !== null) throw new RalphError("usage", `The value of --${flag} ${problem}.`);
}

/** Refuses an unknown driver or a missing driver file. The file's content is checked when it is loaded. */
function knownDriver(
  name: string | null,
  { env, projectDir }: Pick<CommandContext, "env" | "projectDir">,
  folder = ".",
): string | null {
  if (name === null) return name;
  const dir = join(projectDir, folder);
  const names = driverNames(createHost(projectDir, env));
  if (isDriverPath(name) ? existingFile(name, dir) !== null : names.includes(name)) return name;
  const what = isDriverPath(name) ? `driver file ${name}` : `driver called ${JSON.stringify(name)}`;
  throw new RalphError("usage", `There is no ${what}.${didYouMean(name, names)}`, {
    hint: `Drivers: ${names.join(", ")}. The path of a file is taken from ${dir}.`,
  });
}

/** Where tasks come from: `none`, or a source that `contentFrom` knows, with the document's path below the project. */
export type TaskSource = { from: string; prd: string | null };

/**
 * The task source named by flags; null if they leave it open. A document implies the source `prd`.
 * @throws RalphError `usage` for a document beside another source
 */
export function readTaskSource(args: Words, { projectDir }: Pick<CommandContext, "projectDir">): TaskSource | null {
  const { prd } = args;
  if (prd === undefined) return args.from === undefined ? null : { from: args.from, prd: null };
  if (args.from !== undefined && args.from !== "prd") {
    throw new RalphError("usage", `--prd names a document, and --from ${args.from} reads none.`, {
      hint: "Leave one of them out.",
    });
  }
  return { from: "prd", prd: relative(join(projectDir, args.folder ?? "."), resolve(projectDir, prd)) };
}

/** @throws RalphError `usage` for a name that a folder cannot have on every platform */
export function requireFolderName(name: string): string {
  const problem = folderNameProblem(name);
  if (problem === null) return name;
  throw new RalphError("usage", `${JSON.stringify(name)} cannot be the name of a project's folder: ${problem}.`, {
    hint: "Choose another name; -C DIR says where the folder goes.",
  });
}
