/** Runs the `git` program for what changes branches, worktrees and remotes; what only reads does without it. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, sep } from "node:path";
import process from "node:process";
import { definedOnly, type EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { codeOf, reasonOf } from "../../core/system-error.ts";
import { visibleControls } from "../../core/text/plain-text.ts";
import { killTree } from "../process-tree/windows-system.ts";
import { isHangUpIgnored } from "../terminal/hang-up.ts";
import { waitSync } from "../wait-sync.ts";
import { WORKTREES } from "../worktrees/record.ts";
import { pastHalfMade } from "./half-made-worktree.ts";
import { decodeExactly, encodePath } from "./names.ts";

export type GitResult = {
  /** Null if it did not end by itself. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Why ralph ended it, if it did. */
  ended?: "stopped" | "timed_out";
};

export type GitOptions = {
  /** For standard input; nothing by default. */
  input?: string;
  /** ms until git is ended. Default: two minutes. */
  timeoutMs?: number;
  /** Ends git when it aborts. */
  signal?: AbortSignal;
  /** Whether the user's hooks run, as for a person's own commit and push. Default: they do not. */
  hooks?: boolean;
  /** Whether bytes of its output that are no UTF-8 are as `names.ts` has them. Such text goes in again as those bytes in any case. */
  exact?: boolean;
  /** More variables. */
  env?: Readonly<Record<string, string>>;
};

/** Runs git in a folder. A git that fails is a value; one that cannot be started is an error. */
export type Git = {
  readonly dir: string;
  /** @throws RalphError `environment` if git is not installed */
  run(args: readonly string[], options?: GitOptions): Promise<GitResult>;
  /** Its trimmed output. @throws RalphError `environment` with what git said, if it fails */
  need(args: readonly string[], options?: GitOptions): Promise<string>;
};

const TIMEOUT_MS = 120_000;
/**
 * ms for what may carry a whole history, or all that Git LFS keeps, over a slow line. A remote that hangs, or a dialog that asks for a password
 * at night, takes no more of it.
 */
export const TRANSFER_TIMEOUT_MS = 30 * 60_000;
/**
 * ms for what may write or delete all files of a repository: 70 GB at 10 MB/s, as by a slow disk, the network or Git LFS. What takes longer
 * waits for something that does not come.
 */
export const FILES_TIMEOUT_MS = 120 * 60_000;
/** Between TERM and KILL. */
const GRACE_MS = 3000;
/** The same where ralph itself ends and can wait for nothing: git has its lock files deleted by then. */
const LAST_GRACE_MS = 200;
/** What a stop leaves a git of a repository in which it has ended one. */
const AFTER_HUNG_MS = 1000;
/** What a stop leaves a git that writes files of a person's checkout, or commits work: ended midway it leaves half of them. */
export const WRITES_AFTER_STOP_MS = 30_000;
/** What git printed last arrives right after its end. */
const OUTPUT_END_MS = 1000;
const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;
/**
 * git asks nobody, and what only looks locks nothing: a kill would leave the lock, and a person or an agent may commit there just then. Its
 * progress would end it midway, with half of a checkout written, once nobody reads it: where ralph was killed by KILL.
 */
const QUIET = {
  GIT_OPTIONAL_LOCKS: "0",
  ...{ GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_SEQUENCE_EDITOR: "true" },
  GIT_PROGRESS_DELAY: "1000000000",
};

/**
 * Git in a folder, whatever other repository this environment names.
 * @param stop once it has aborted, each call has only some seconds more: what clears up works, and what hangs holds nothing up
 * @param afterStopMs these seconds
 */
export function createGit(dir: string, env: EnvVars, stop?: AbortSignal, afterStopMs = GRACE_MS): Git {
  const childEnv = { ...withoutPlace(env), ...ceilings(dir, env), ...english(env), ...QUIET };
  let leftMs = afterStopMs;
  const run: Git["run"] = async (args, options = {}) => {
    const env = { ...childEnv, ...options.env };
    const result = await pastHalfMade(() => runGit(dir, args, { ...options, env }, { stop, leftMs }));
    // What held this call up will hold up the next.
    if (stop?.aborted === true && result.ended === "stopped") leftMs = AFTER_HUNG_MS;
    return result;
  };
  return { dir, run, need: needOf(run) };
}

/** `need` of a git that runs so. */
export function needOf(run: Git["run"]): Git["need"] {
  return async (args, options) => {
    const result = await run(args, options);
    if (result.code === 0) return result.stdout.trim();
    throw gitError(args, result);
  };
}

/** What git says last when a filter fails that the repository requires (Git LFS, git-crypt). */
const FILTER_FAILED = /^fatal: (.+): (?:smudge|clean) filter '?(.+?)'? failed$/m;

/** What git said, in an error. */
export function gitError(args: readonly string[], result: GitResult): RalphError {
  const [, path, filter] = FILTER_FAILED.exec(result.stderr) ?? [];
  if (path !== undefined && filter !== undefined) return filterError(path, filter, result);
  return new RalphError("environment", `${nameOf(args)} failed: ${gitSaid(result)}`, {
    hint: result.ended === "timed_out" ? HELD_UP : "Mend it in the repository, and run ralph again.",
  });
}

/** What a person calls it by. */
export function nameOf(args: readonly string[]): string {
  const command = args.find((arg, at) => !arg.startsWith("-") && !/^-[cC]$/.test(args[at - 1] ?? "")) ?? "";
  return `\`git ${command}\``;
}

const HELD_UP =
  "Something holds git up there: a named pipe in place of a .gitattributes or of a file in .git, a .gitignore with many stars, or a filter. Mend it, and run ralph again.";

/** Told with what the filter said itself. */
function filterError(path: string, filter: string, { stderr, ...result }: GitResult): RalphError {
  const own = stderr.replace(/^(?:error|fatal): .*\n?/gm, "").trim();
  const said = own === "" ? "it does not say why" : gitSaid({ ...result, stderr: own });
  const message = `The filter ${filter}, which the repository requires, failed on ${visibleControls(path)}: ${said}`;
  return new RalphError("environment", message, {
    hint: `See what it runs with: git config --get-regexp '^filter\\.${filter}\\.'`,
  });
}

/** What a git that failed said, or how it ended. */
export function gitSaid({ code, stderr, stdout, ended }: GitResult): string {
  const how = ended === undefined ? `it ended with ${code ?? "a signal"}` : ENDED[ended];
  const said = visibleControls((stderr.trim() || stdout.trim()).slice(0, MAX_SAID_CHARS));
  if (said === "") return how;
  return ended === undefined ? said : `${how}: ${said}`;
}

const MAX_SAID_CHARS = 2000;
const ENDED = { stopped: "it was stopped", timed_out: "it took too long and was ended" } as const;

type Ended = NonNullable<GitResult["ended"]>;

/**
 * A folder of the project that merely has the files of a repository would be one to git, which then starts what its `config` names: a
 * clone may bring it, and an agent that is shut in may make it.
 */
const NO_FOUND_BARE = ["-c", "safe.bareRepository=explicit"];

/** Runs git in a process group of its own: its helpers (ssh, hooks, filters) end with it, and none of them can ask at the terminal. */
function runGit(
  dir: string,
  args: readonly string[],
  options: GitOptions,
  { stop, leftMs }: { stop: AbortSignal | undefined; leftMs: number },
): Promise<GitResult> {
  const { input = "", timeoutMs = TIMEOUT_MS, signal, hooks = false, exact = false, env } = options;
  const noHooks = hooks ? [] : ["-c", "core.hooksPath=/dev/null"];
  if (signal?.aborted === true) return Promise.resolve({ code: null, stdout: "", stderr: "", ended: "stopped" });
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === "win32";
    const place = { cwd: dir, env: { ...env }, windowsHide: true, detached: !isWindows };
    let child: ChildProcessWithoutNullStreams;
    let pid: number | undefined;
    // Before the start: a signal in between would end ralph alone.
    const release = endWithRalph(() => {
      endGroup(pid, "SIGTERM");
      waitSync(LAST_GRACE_MS);
      endGroup(pid, "SIGKILL");
    });
    try {
      child = spawn("git", [...NO_FOUND_BARE, ...noHooks, ...args], place);
      pid = child.pid;
    } catch (cause) {
      release();
      // Bun throws some start errors instead of passing them on.
      reject(noGit(dir, cause));
      return;
    }
    const said = { stdout: "", stderr: "" };
    let ended: Ended | undefined;
    const timers: NodeJS.Timeout[] = [];
    const later = (ms: number, action: () => void) => timers.push(setTimeout(action, ms));
    const end = (why: Ended) => {
      ended ??= why;
      endGroup(child.pid, "SIGTERM");
      later(GRACE_MS, () => endGroup(child.pid, "SIGKILL"));
    };
    const onAbort = () => end("stopped");
    const onStop = () => later(leftMs, onAbort);
    const settle = (code: number | null) => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      stop?.removeEventListener("abort", onStop);
      release();
      child.stdout.destroy();
      child.stderr.destroy();
      const stdout = exact ? decodeExactly(Buffer.from(said.stdout, "latin1")) : said.stdout;
      resolve({ code: ended === undefined ? code : null, ...said, stdout, ...(ended === undefined ? {} : { ended }) });
    };
    later(timeoutMs, () => end("timed_out"));
    signal?.addEventListener("abort", onAbort, { once: true });
    if (stop?.aborted === true) onStop();
    else stop?.addEventListener("abort", onStop, { once: true });
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding(exact && name === "stdout" ? "latin1" : "utf8").on("data", (text: string) => {
        said[name] = (said[name] + text).slice(0, MAX_OUTPUT_CHARS);
      });
    // git may end before it has read all of it.
    child.stdin.on("error", () => {});
    child.stdin.end(encodePath(input));
    child.on("error", (cause) => {
      // An error after the start is told by its end.
      if (child.pid !== undefined) return;
      release();
      reject(noGit(dir, cause));
    });
    // What a hook leaves behind may hold the pipes open for ever.
    child.on("exit", (code) => later(OUTPUT_END_MS, () => settle(code)));
    child.on("close", settle);
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * No signal of the terminal reaches a group of its own: where nothing in ralph waits for one, it ends ralph as it always does, but git first.
 * @returns a function for when git has ended
 */
function endWithRalph(endGit: () => void): () => void {
  const onSignal = Object.assign(
    (signal: NodeJS.Signals) => {
      if (!process.listeners(signal).every((one) => "endsGit" in one)) return;
      endGit();
      release();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    },
    { endsGit: true },
  );
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("exit", endGit);
  };
  const heard = isHangUpIgnored() ? SIGNALS.filter((signal) => signal !== "SIGHUP") : SIGNALS;
  for (const signal of heard) process.on(signal, onSignal);
  process.on("exit", endGit);
  return release;
}

/** git deletes its lock files on TERM. */
function endGroup(pid: number | undefined, how: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    void killTree(pid);
    return;
  }
  try {
    process.kill(-pid, how);
  } catch {
    // The group is gone.
  }
}

function noGit(dir: string, cause: unknown): RalphError {
  if (!existsSync(dir))
    return new RalphError("environment", `git cannot be started in ${dir}: the folder does not exist.`, { cause });
  if (codeOf(cause) !== "ENOENT")
    return new RalphError("environment", `git cannot be started: ${reasonOf(cause)}`, {
      cause,
      hint: "Look at it with: git --version",
    });
  return new RalphError("environment", "This needs the git program, which is not installed.", {
    hint: "Install git, or run without the options that work on branches.",
    cause,
  });
}

const KEPT_VARIABLES = /^GIT_(?:CONFIG_|AUTHOR_|COMMITTER_|SSH|ASKPASS|PROXY|SSL_|ALLOW_PROTOCOL|CEILING_DIRECTORIES)/;

/**
 * A worktree lies inside the project. One whose files somebody removed is in no repository then, and not in the project's, where git would
 * commit and throw away what is a person's.
 */
function ceilings(dir: string, { GIT_CEILING_DIRECTORIES: known = "" }: EnvVars): Record<string, string> {
  const at = dir.lastIndexOf(`${sep}${WORKTREES}${sep}`);
  if (at === -1) return {};
  const own = dir.slice(0, at + sep.length + WORKTREES.length);
  return { GIT_CEILING_DIRECTORIES: known === "" ? own : `${own}${delimiter}${known}` };
}

/** Its words are read. What it starts (hooks, filters) has the user's encoding all the same: some programs refuse what is no ASCII without. */
function english({ LC_ALL, LC_CTYPE, LANG }: EnvVars): Record<string, string> {
  return { LC_ALL: "", LC_MESSAGES: "C", LC_CTYPE: LC_ALL || LC_CTYPE || LANG || "C" };
}

/** GIT_DIR and similar variables would point git at another repository; identity and settings stay. */
function withoutPlace(env: EnvVars): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT_VARIABLES.test(name));
  return definedOnly(Object.fromEntries(kept));
}
