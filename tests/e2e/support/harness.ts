/** Runs the compiled program in projects of its own, with a scripted agent instead of `claude`. */

import { afterAll } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Subprocess } from "bun";
import { binary } from "../../../scripts/lib/paths.ts";
import { cleanEnvironment } from "../../../scripts/lib/tests/environment.ts";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { statThere } from "../../../src/effects/files/stat-there.ts";
import { foldRun } from "../../../src/effects/journal/journal-fold.ts";
import { readKeptFold } from "../../../src/effects/journal/kept-fold.ts";
import { VERSION } from "../../../src/version.ts";
import type { Call, Step } from "../../agents/scripted.ts";
import { earlyInTheHour } from "../../clock-hour.ts";
import { LARGE_PAGES } from "../../large-pages.ts";
import { commitAll, initRepository } from "./repository.ts";
import { callsIn, installAgent, writeScript } from "./scripted-agent.ts";

export type Ended = { exit: number | null; stdout: string; stderr: string };

/** A running ralph. */
export type Live = { pid: number; kill(signal: NodeJS.Signals): void; ended: Promise<Ended> };

export type ProjectOptions = {
  /** Path below the project to content, committed at the start; default: a prompt and a plan of three open boxes. */
  files?: Record<string, string>;
  /** `empty`: a repository without a commit. */
  git?: boolean | "empty";
  steps?: readonly Step[];
  /** Lines for the shell that are the agent instead of `steps`, where a start of Bun for each call costs more than all else. */
  plays?: string;
  env?: Record<string, string>;
  /** The program that the scripted agent replaces. */
  agentName?: string;
};

export type Project = {
  dir: string;
  env: Record<string, string>;
  path(name: string): string;
  write(name: string, content: string): void;
  read(name: string): string;
  has(name: string): boolean;
  script(steps: readonly Step[]): void;
  start(...argv: string[]): Live;
  /** Starts with a wrapper before ralph: `sh -c 'ulimit …; exec "$@"' sh`. */
  startUnder(wrapper: readonly string[], ...argv: string[]): Live;
  ralph(...argv: string[]): Promise<Ended>;
  calls(): Call[];
  runs(): string[];
  /** The journal of the newest run, or of the nth from 1. */
  events(nth?: number): RalphEvent[];
  event<T extends RalphEvent["type"]>(type: T, nth?: number): EventOf<T> | undefined;
  status(): Record<string, unknown>;
};

const DEFAULT_FILES = {
  ".ralph/PROMPT.md": "Do the next task.\n",
  ".ralph/@fix_plan.md": "# Plan\n- [ ] one\n- [ ] two\n- [ ] three\n",
  "src.txt": "0\n",
};

type Made = { folder: string; agent: string; ralphs: Subprocess[] };
const made: Made[] = [];
afterAll(cleanUp);

/**
 * Removes everything that a file's tests made, including what a failed test left running. Each file that makes projects
 * passes this to `afterAll`: if files share a process, a registration here would work only for the first.
 */
export function cleanUp(): void {
  const wrong: string[] = [];
  for (const { folder, agent, ralphs } of made.splice(0)) {
    for (const ralph of ralphs) if (ralph.exitCode === null) ralph.kill("SIGKILL");
    for (const { pid, child } of callsIn(agent))
      for (const left of [pid, child ?? 0]) if (left > 0 && isFrom(folder, left)) process.kill(left, "SIGKILL");
    wrong.push(...wrongFolds(join(folder, "project")));
    rmSync(folder, { recursive: true, force: true });
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** Of every run of every test: what is kept of an ended run's journal is what reading it gives, in whichever time zone the run was. */
function wrongFolds(dir: string): string[] {
  const runs = join(dir, ".ralph", "runs");
  const names = statThere(runs)?.isDirectory() === true ? readdirSync(runs) : [];
  return names.flatMap((run) => {
    const kept = readKeptFold(join(runs, run), VERSION, 0);
    if (kept === null) return [];
    const read: typeof kept = JSON.parse(JSON.stringify(foldRun(runs, run, dir).state));
    const isOther = (field: string) =>
      !Bun.deepEquals(field in kept && kept[field as keyof State], field in read && read[field as keyof State]);
    return Object.keys({ ...kept, ...read })
      .filter(isOther)
      .map(
        (field) =>
          `${run}/fold.json has another ${field} than its journal: ${JSON.stringify([kept[field as keyof State], read[field as keyof State]])}`,
      );
  });
}

/** A new project in a folder of its own, which is removed after the file's tests. */
export function project({
  files = DEFAULT_FILES,
  git = true,
  steps = [],
  plays,
  env = {},
  agentName = "claude",
}: ProjectOptions = {}): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-e2e-")));
  const [dir, home, bin, agent] = ["project", "home", "bin", "agent"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const each of [dir, home, bin, agent]) mkdirSync(each);
  const ralphs: Subprocess[] = [];
  installAgent(bin, agentName, agent);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const script = (next: readonly Step[]) => writeScript(agent, next);
  script(steps);
  if (plays !== undefined) writeFileSync(join(agent, "plays.sh"), plays);
  // The tests of trust take RALPH_TRUST away.
  const standing = { IS_SANDBOX: "1", RALPH_TRUST: "true" };
  const environment = { ...cleanEnvironment(home, [bin]), ...LARGE_PAGES, ...earlyInTheHour(), ...standing, ...env };
  made.push({ folder, agent, ralphs });
  if (git !== false) initRepository(dir, environment);
  if (git === true) commitAll(dir, environment);

  const startUnder = (wrapper: readonly string[], ...argv: string[]) =>
    launch([...wrapper, binary, ...argv], dir, environment, ralphs);
  const read = (name: string) => readFileSync(join(dir, name), "utf8");
  const runs = () => (existsSync(join(dir, ".ralph/runs")) ? readdirSync(join(dir, ".ralph/runs")).sort() : []);
  const events = (nth?: number): RalphEvent[] => {
    const run = nth === undefined ? runs().at(-1) : runs()[nth - 1];
    return run === undefined ? [] : wholeLines(join(dir, ".ralph/runs", run, "events.jsonl")).map((l) => JSON.parse(l));
  };
  return {
    dir,
    env: environment,
    path: (name) => join(dir, name),
    write,
    read,
    has: (name) => existsSync(join(dir, name)),
    script,
    start: (...argv) => startUnder([], ...argv),
    startUnder,
    ralph: (...argv) => startUnder([], ...argv).ended,
    calls: () => callsIn(agent),
    runs,
    events,
    event: <T extends RalphEvent["type"]>(type: T, nth?: number) =>
      events(nth).findLast((event): event is EventOf<T> => event.type === type),
    status: () => JSON.parse(read(".ralph/status.json")),
  };
}

/**
 * A project as it is now, in a folder and with a home of its own: quicker than to make it again. Nothing may run in it.
 * @param beside folders beside the project that go along
 */
export function copyOf(of: Project, ...beside: string[]): Project {
  const at = project({ files: {}, git: false });
  for (const name of ["project", "agent", ...beside]) {
    const folder = at.path(`../${name}`);
    rmSync(folder, { recursive: true, force: true });
    cpSync(of.path(`../${name}`), folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
  return at;
}

/**
 * For what holds absolute paths, as worktrees do, and so cannot be moved: keeps the project, its agent and its home as they are now.
 * @returns puts them back; nothing may run in the project then
 */
export function keepNow({ path }: Project): () => void {
  const kept = path("../kept");
  const parts = ["project", "agent", "home"];
  const copy = (from: string, to: string) =>
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const part of parts) copy(path(`../${part}`), join(kept, part));
  return () => {
    for (const part of parts) {
      rmSync(path(`../${part}`), { recursive: true });
      copy(join(kept, part), path(`../${part}`));
    }
  };
}

/** Whether a process lives and is of that folder: after many starts the system gives the number of an ended one away again. */
function isFrom(folder: string, pid: number): boolean {
  if (process.platform !== "linux" || !lives(pid)) return lives(pid);
  try {
    const told = ["environ", "cmdline"].map((name) => readFileSync(`/proc/${pid}/${name}`, "utf8"));
    return [readlinkSync(`/proc/${pid}/cwd`), ...told].some((text) => text.includes(folder));
  } catch {
    return false; // it ended meanwhile, or is another user's
  }
}

/** Whether a process exists and is not a zombie. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The complete lines of a file; none if it does not exist. */
export function wholeLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function launch(argv: readonly string[], cwd: string, env: Record<string, string>, ralphs: Subprocess[]): Live {
  const child = Bun.spawn([...argv], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  ralphs.push(child);
  const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  return {
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    ended: texts.then(([stdout, stderr]) => ({ exit: child.exitCode, stdout, stderr })),
  };
}
