/** Runs the `git` program for what changes branches, worktrees and remotes; what only reads does without it. */
import { spawn } from "node:child_process";
import { definedOnly, type EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { visibleControls } from "../../core/text/plain-text.ts";

export type GitResult = { code: number | null; stdout: string; stderr: string };

export type GitOptions = {
  /** For standard input; nothing by default. */
  input?: string;
  /** ms until git is ended; 0 for none. Default: two minutes. */
  timeoutMs?: number;
  /** Ends git when it aborts. */
  signal?: AbortSignal;
  /** Whether the user's hooks run, as for a person's own commit and push. Default: they do not. */
  hooks?: boolean;
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
const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;
/** git asks nobody, and speaks English where its words are read. */
const QUIET = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_SEQUENCE_EDITOR: "true", LC_ALL: "C" };

export function createGit(dir: string, env: EnvVars): Git {
  const childEnv = { ...withoutPlace(env), ...QUIET };
  const run: Git["run"] = (args, options = {}) =>
    runGit(dir, args, { ...options, env: { ...childEnv, ...options.env } });
  return {
    dir,
    run,
    async need(args, options) {
      const result = await run(args, options);
      if (result.code === 0) return result.stdout.trim();
      throw gitError(args, result);
    },
  };
}

/** What git said, in an error. */
export function gitError(args: readonly string[], { code, stderr, stdout }: GitResult): RalphError {
  const said = visibleControls(
    (stderr.trim() || stdout.trim() || `it ended with ${code ?? "a signal"}`).slice(0, 2000),
  );
  return new RalphError("environment", `\`git ${args.find((arg) => !arg.startsWith("-")) ?? ""}\` failed: ${said}`, {
    hint: "Mend it in the repository, and run ralph again.",
  });
}

function runGit(dir: string, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { input = "", timeoutMs = TIMEOUT_MS, signal, hooks = false, env } = options;
  const noHooks = hooks ? [] : ["-c", "core.hooksPath=/dev/null"];
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...noHooks, ...args], {
      cwd: dir,
      env: { ...env },
      windowsHide: true,
      ...(timeoutMs === 0 ? {} : { timeout: timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
    let stdout = "";
    let stderr = "";
    const cut = (text: string) => text.slice(0, MAX_OUTPUT_CHARS);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout = cut(stdout + text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = cut(stderr + text);
    });
    // git may end before it has read all of it.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (cause: NodeJS.ErrnoException) => {
      if (cause.name === "AbortError") resolve({ code: null, stdout, stderr: "stopped" });
      else reject(noGit(cause));
    });
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

function noGit(cause: NodeJS.ErrnoException): RalphError {
  if (cause.code !== "ENOENT")
    return new RalphError("environment", `git cannot be started: ${cause.message}`, {
      cause,
      hint: "Look at it with: git --version",
    });
  return new RalphError("environment", "This needs the git program, which is not installed.", {
    hint: "Install git, or run without the options that work on branches.",
    cause,
  });
}

/** GIT_DIR and similar variables would point git at another repository; identity and settings stay. */
function withoutPlace(env: EnvVars): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("GIT_") || /^GIT_(?:CONFIG_|AUTHOR_|COMMITTER_|SSH|ASKPASS|PROXY|SSL_)/.test(name),
  );
  return definedOnly(Object.fromEntries(kept));
}
