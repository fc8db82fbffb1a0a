import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import git from "isomorphic-git";
import type { EnvVars } from "../../core/env-vars.ts";
import { isRecord, str } from "../../core/json-value.ts";
import { type DemoIo, demoAgent } from "../../demo/scripted-agent.ts";
import { containsPath } from "../../effects/files/contains-path.ts";
import { readJson } from "../../effects/files/read-json.ts";
import { readRegularText } from "../../effects/files/regular-file.ts";
import { readDemoScript } from "../../effects/project/demo-script-file.ts";

export const DEMO_AGENT_COMMAND = "__demo-agent";

/** How the demo agent was started: the words after the command, the environment, and the words that start ralph. */
export type DemoAgentStart = {
  argv: readonly string[];
  env: EnvVars;
  cwd: string;
  self: readonly string[];
};

/**
 * The hidden command behind the driver `demo`: one call of the scripted agent. RALPH_DEMO_SCRIPT names the script,
 * ralph's own by default; RALPH_DEMO_STATE names the file that counts calls.
 * @returns the exit code
 * @throws RalphError `config` for an unreadable script
 */
export async function runDemoAgent({ argv, env, cwd, self }: DemoAgentStart): Promise<number> {
  const linger = wordAfter(argv, "--linger");
  if (linger !== null) {
    await sleep(Number(linger));
    return 0;
  }
  const script = readDemoScript(env.RALPH_DEMO_SCRIPT, cwd);
  const call = {
    index: nextIndex(cwd, env),
    sessionId: wordAfter(argv, "--resume") ?? wordAfter(argv, "--session-id") ?? randomUUID(),
    format: wordAfter(argv, "--output-format") === "text" ? ("text" as const) : ("json" as const),
    partial: argv.includes("--partial"),
    readOnly: argv.includes("--read-only"),
  };
  return demoAgent(script, call, createIo(cwd, self));
}

function wordAfter(argv: readonly string[], flag: string): string | null {
  const at = argv.indexOf(flag);
  return at === -1 ? null : (argv[at + 1] ?? null);
}

/**
 * Counts this call before it does anything, so that a killed call counts too. Without RALPH_DEMO_STATE each run starts
 * from zero; RALPH_RUN, which ralph gives its agents, tells runs apart.
 */
function nextIndex(cwd: string, env: EnvVars): number {
  const chosen = env.RALPH_DEMO_STATE ?? "";
  const file = chosen === "" ? join(cwd, ".ralph", ".demo_agent.json") : chosen;
  const run = chosen === "" ? (env.RALPH_RUN ?? "") : "";
  const last = readState(file);
  const index = last.run === run ? last.iteration : 0;
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify({ run, iteration: index + 1 })}\n`);
  return index;
}

function readState(file: string): { run: string; iteration: number } {
  const state = readJson(file);
  if (!isRecord(state)) return { run: "", iteration: 0 }; // the first call, or a file that another program overwrote
  const { run, iteration } = state;
  return { run: str(run) ?? "", iteration: Number.isInteger(iteration) ? Number(iteration) : 0 };
}

function createIo(cwd: string, self: readonly string[]): DemoIo {
  return {
    print: (line) => {
      fs.writeSync(1, `${line}\n`);
    },
    read: async (path) => {
      try {
        return readRegularText(inside(cwd, path));
      } catch {
        return null;
      }
    },
    write: async (path, content) => {
      const file = inside(cwd, path);
      fs.mkdirSync(dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
    },
    commit: (message, paths) => commit(cwd, message, paths),
    sleep: async (ms) => {
      if (ms > 0) await sleep(ms);
    },
    startBackground: (ms) => {
      const [program = "ralph", ...args] = self;
      const options = { cwd, detached: true, stdio: "ignore", windowsHide: true } as const;
      spawn(program, [...args, DEMO_AGENT_COMMAND, "--linger", String(ms)], options).unref();
    },
    now: () => Date.now(),
  };
}

const AUTHOR = { name: "Demo agent", email: "demo@example.invalid" } as const;

/** Only for temporary projects of the demo and of tests: isomorphic-git must not write to a user's repository. */
async function commit(dir: string, message: string, paths: readonly string[]): Promise<void> {
  const place = fs.lstatSync(join(dir, ".git"), { throwIfNoEntry: false });
  // isomorphic-git would begin a repository here, and leave it half made.
  if (place === undefined) throw new Error("This folder is no git repository.");
  if (!place.isDirectory()) return commitInWorktree(dir, message, paths);
  for (const filepath of paths) {
    if (!(await git.isIgnored({ fs, dir, filepath }))) await git.add({ fs, dir, filepath });
  }
  await git.commit({ fs, dir, message, author: AUTHOR });
}

/** Commits with git: isomorphic-git does not find the branches of a linked worktree. */
function commitInWorktree(dir: string, message: string, paths: readonly string[]): void {
  const run = (...words: string[]) =>
    execFileSync("git", words, { cwd: dir, stdio: ["ignore", "ignore", "pipe"], windowsHide: true });
  try {
    run("add", "--ignore-errors", "--", ...paths);
  } catch {
    // an ignored file is not committed; the others are added
  }
  run("-c", `user.name=${AUTHOR.name}`, "-c", `user.email=${AUTHOR.email}`, "commit", "--quiet", "-m", message);
}

/** The path below the working folder, with links resolved. A script never writes outside. */
function inside(cwd: string, path: string): string {
  const root = fs.realpathSync(cwd);
  const file = resolve(root, path);
  let there = file;
  while (fs.lstatSync(there, { throwIfNoEntry: false }) === undefined) there = dirname(there);
  if (!containsPath(root, fs.realpathSync(there))) throw new Error(`${path} is outside the working folder`);
  return file;
}
