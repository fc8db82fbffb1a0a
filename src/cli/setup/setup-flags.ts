import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { definedOnly } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { resolveSettings } from "../../core/settings/resolve-settings.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { isDriverPath } from "../../driver-host/locate-driver.ts";
import { createHost } from "../../effects/host.ts";
import { existingFile } from "../../effects/user/driver-files.ts";
import type { SetupFlags } from "../../setup/decide-answers.ts";
import { folderNameProblem } from "../../setup/folder-name.ts";
import { MAX_COMMAND, MAX_NAME, sanitizeName } from "../../setup/sanitize-text.ts";
import { driverNames } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import { SETUP_SETTINGS } from "../definitions/shared-args.ts";

type Words = {
  folder?: string | undefined;
  name?: string | undefined;
  type?: string | undefined;
  "test-command"?: string | undefined;
  label?: string | undefined;
  from?: string | undefined;
  prd?: string | undefined;
  task?: string | undefined;
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
  knownDriver(context.settings.PLATFORM_DRIVER?.text ?? null, context, args.folder);
  const flags = SETUP_SETTINGS.map((name) => [name, context.settings[name]?.text] as const);
  return definedOnly({
    ...Object.fromEntries(flags),
    PROJECT_NAME: args.name === undefined ? undefined : sanitizeName(args.name),
    PROJECT_TYPE: args.type === undefined ? undefined : sanitizeName(args.type),
    TEST_COMMAND: args["test-command"],
    GITHUB_TASK_LABEL: args.label,
    TASK_SOURCES: source === null ? undefined : settingOf(source.from),
  });
}

/** What TASK_SOURCES names: documents are `prd`, the user's own words and lists `local`. */
function settingOf(from: TaskSource["from"]): string {
  return from === "github" || from === "beads" ? from : from === "prd" || from === "bmad" ? "prd" : "local";
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
): void {
  if (name === null) return;
  const dir = join(projectDir, folder);
  const names = driverNames(createHost(projectDir, env));
  if (isDriverPath(name) ? existingFile(name, dir) !== null : names.includes(name)) return;
  const what = isDriverPath(name) ? `driver file ${name}` : `driver called ${JSON.stringify(name)}`;
  throw new RalphError("usage", `There is no ${what}.${didYouMean(name, names)}`, {
    hint: `Drivers: ${names.join(", ")}. The path of a file is taken from ${dir}.`,
  });
}

const SOURCES = ["none", "prd", "github", "beads", "bmad"] as const;

/** Where tasks come from: `task` is `what` itself, the user's words; `prd` is that document, or the likeliest one. */
export type TaskSource = { from: (typeof SOURCES)[number] | "task"; what: string | null };

/**
 * The task source named by flags; null if they leave it open. A document implies the source `prd`.
 * @throws RalphError `usage` for two sources, or a word that is neither a source nor a file
 */
export function readTaskSource(args: Words, { projectDir }: Pick<CommandContext, "projectDir">): TaskSource | null {
  const { prd, task, from: word } = args;
  const source = SOURCES.find((one) => one === word);
  const file = source === undefined ? word : undefined;
  if (task !== undefined && (prd ?? word) !== undefined)
    throw new RalphError("usage", "--task says what is to be done, and so does --from.", { hint: LEAVE_OUT });
  if (task !== undefined) {
    if (task.trim() === "") throw new RalphError("usage", "The value of --task is empty.");
    return { from: "task", what: task };
  }
  if (prd !== undefined && word !== undefined && source !== "prd")
    throw new RalphError("usage", `--prd names a document, and --from ${word} reads none.`, { hint: LEAVE_OUT });
  const document = prd ?? file;
  if (document === undefined) return source === undefined ? null : { from: source, what: null };
  const path = resolve(projectDir, document);
  if (file !== undefined && !existsSync(path))
    throw new RalphError("usage", `--from ${file}: there is no such file or source.${didYouMean(file, SOURCES)}`, {
      hint: `Name a document, or one of ${SOURCES.join(", ")}.`,
    });
  return { from: "prd", what: relative(join(projectDir, args.folder ?? "."), path) };
}

const LEAVE_OUT = "Leave one of them out.";

/** @throws RalphError `usage` for a name that a folder cannot have on every platform */
export function requireFolderName(name: string): string {
  const problem = folderNameProblem(name);
  if (problem === null) return name;
  throw new RalphError("usage", `${JSON.stringify(name)} cannot be the name of a project's folder: ${problem}.`, {
    hint: "Choose another name; -C DIR says where the folder goes.",
  });
}
