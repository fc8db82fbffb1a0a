import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectTitle } from "../../core/project-name.ts";
import { masksOf } from "../../core/secrets/mask.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { hasMode } from "../../effects/project/project-paths.ts";
import { hasUncommitted } from "../../effects/project/uncommitted.ts";
import { openWorktree } from "../../effects/worktrees/open.ts";
import { uncommittedIn } from "../../effects/worktrees/uncommitted.ts";
import { listWorktrees, type Worktree } from "../../effects/worktrees/worktrees.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";
import { untilStopped } from "./signals.ts";

type Context = CommandContext<RunArgs>;

export type RunThere = {
  /** The run itself. */
  run(context: Context, words: readonly string[]): Promise<number>;
  /** @throws RalphError for whatever would keep it from starting in the project */
  check(context: Context): Promise<Settings>;
};

/**
 * `ralph run --worktree[=NAME]`: the same run in a worktree of the project, which is made for it, or goes on where it was.
 * @param words the command line of this process
 * @returns the exit code of the run
 * @throws RalphError before anything is made, if the run or the worktree cannot be; if its set-up fails, it stays
 */
export async function runInWorktree(called: Context, words: readonly string[], there: RunThere): Promise<number> {
  const context = withName(called);
  const { projectDir, args, log } = context;
  const name = args.worktree === "" ? null : (args.worktree ?? null);
  const known = listWorktrees(projectDir).find((one) => one.name === name && isReady(one));
  if (args["dry-run"]) {
    if (known === undefined) log.info("A worktree would be made first. This is what the project would send now:");
    return there.run({ ...context, projectDir: known?.project ?? projectDir }, words);
  }
  const made = known ?? (await make(name, context, there.check));
  if (typeof made === "number") return made;
  if (known !== undefined) log.info(`Worktree ${made.name}: branch ${made.branch}, as it was left`);
  const code = await there.run({ ...context, projectDir: made.project }, wordsThere(words, called, made));
  if (args.detach) return code;
  if (!isReady(made)) {
    log.warn(
      `The files of the worktree ${made.name} are gone. What was committed is on branch ${made.branch}. Make it anew with: ralph run --worktree=${made.name}`,
    );
    return code;
  }
  log.info(whereWorkIs(made, await uncommittedIn(projectDir, made.name, context.env)));
  return code;
}

/** @param left files that are in no commit */
function whereWorkIs({ name, branch, project }: Worktree, left: readonly string[]): string {
  const reach = `reach it with -C ${typedWord(projectTitle(project))}.`;
  const remove = `Once it is merged: ralph worktrees remove ${name}`;
  if (left.length === 0)
    return `The work is on branch ${branch}; commands ${reach} Put it on yours with: ralph land ${typedWord(branch)}. ${remove}`;
  return `In no commit yet, and so not on branch ${branch}: ${firstNames(left, 3)}. With --commit, ralph commits what the agent leaves. Commands ${reach} ${remove}`;
}

/** `--worktree NAME`: a flag that may stand alone takes no next word, which is the mode then, unless there is none of that name. */
function withName(context: Context): Context {
  const { args, projectDir } = context;
  if (args.worktree !== "" || args.mode === undefined || hasMode(projectDir, args.mode)) return context;
  return { ...context, args: { ...args, worktree: args.mode, mode: undefined } };
}

function isReady({ ready, root }: Worktree): boolean {
  return ready && existsSync(join(root, ".git"));
}

/** @returns the worktree; the exit code if a signal ended it meanwhile */
async function make(name: string | null, context: Context, check: RunThere["check"]): Promise<Worktree | number> {
  const { projectDir, env, log } = context;
  const settings = await check(context);
  const { PROMPT_FILE, WORKTREE_SETUP: setup } = settings;
  return untilStopped(async (signal) => {
    const made = await openWorktree({
      ...{ project: projectDir, name, files: [PROMPT_FILE], setup, masks: masksOf(settings, env), env, signal },
      say: log.info,
    });
    if (await hasUncommitted(projectDir, env)) log.info("What is not committed in the project stays there.");
    return made;
  });
}

/** The command line that starts the run again in the worktree. */
function wordsThere(words: readonly string[], { args }: Context, { project, name }: Worktree): string[] {
  const end = words.indexOf("--");
  const flags = end === -1 ? words : words.slice(0, end);
  // The name after a flag that stood alone.
  const word = args.worktree === "" && args.mode === name ? flags.indexOf(name) : -1;
  const kept = flags.filter((one, at) => {
    const isPlace = /^(?:-C|--project-dir|--worktree)(?:=|$)/s.test(one);
    const isValue = /^(?:-C|--project-dir)$/.test(flags[at - 1] ?? "");
    return at !== word && !isPlace && !isValue;
  });
  return [...kept, `--project-dir=${project}`, ...(end === -1 ? [] : words.slice(end))];
}
