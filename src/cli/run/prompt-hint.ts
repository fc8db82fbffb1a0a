import { RalphError } from "../../core/errors.ts";
import { settingSpec } from "../../core/settings/settings.ts";
import { type ProjectPaths, requireText } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";

/**
 * What to do about a project's prompt that is missing or empty. Set-up writes a missing one only: a file of the user's stays.
 * @param problem what is wrong with it
 * @param isNamed whether a setting names it: set-up makes no such file
 */
export function promptHint(problem: "missing" | "empty", isNamed: boolean): string {
  if (isNamed && problem === "missing") return 'Name another with --prompt (PROMPT_FILE), or give a task: ralph "TEXT"';
  const first = problem === "missing" ? "Make one with: ralph setup." : "Write into it what is to be done.";
  return `${first} Or --prompt FILE, or a task: ralph "TEXT"`;
}

/** A flag that stands alone and perhaps was to take the next word, which is the mode now. */
export function strayFlag({ args, settings }: Pick<CommandContext<RunArgs>, "args" | "settings">): string | null {
  if (args.shard === "") return "--shard";
  const { PUSH, SANDBOX } = settings;
  if (PUSH !== undefined && PUSH.text === settingSpec("PUSH").flag?.alone) return PUSH.flag;
  return SANDBOX !== undefined && SANDBOX.text === settingSpec("SANDBOX").flag?.alone ? SANDBOX.flag : null;
}

type PromptNames = {
  mode: string | null;
  stray: string | null;
  isNamed: boolean;
  /** Where a file names it, to stand before a complaint. */
  place: string;
};

/** @throws RalphError `environment` if a run would refuse the prompt: it is missing, unreadable or empty */
export function requirePrompt(paths: ProjectPaths, { mode, stray, isNamed, place }: PromptNames): void {
  const ofMode =
    stray === null
      ? `Write it in the project or in .ralph/. A task needs no file: ralph "Fix the failing tests"`
      : `Write it in the project or in .ralph/. If ${mode} is the value of ${stray}, write ${stray}=${mode}`;
  const hint = (problem: "missing" | "empty") => (mode === null ? promptHint(problem, isNamed) : ofMode);
  const what = `${mode === null ? place : ""}The prompt`;
  if (requireText(paths.prompt, what, hint("missing")).trim() === "")
    throw new RalphError("environment", `${what} ${paths.prompt} is empty.`, { hint: hint("empty") });
}
