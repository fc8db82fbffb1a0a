import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binary } from "../../scripts/lib/paths.ts";
import { cleanEnvironment } from "../../scripts/lib/tests/environment.ts";
import { earlyInTheHour } from "../clock-hour.ts";
import { LARGE_PAGES } from "../large-pages.ts";
import { type Journal, journals } from "./journal.ts";
import { type MockModel, mockModel } from "./mock-model.ts";

/** The result of a finished ralph. */
export type Ended = { exitCode: number; stdout: string; stderr: string };

/** A running ralph. */
export type Running = { pid: number; signal(name: NodeJS.Signals): void; ended: Promise<Ended> };

/** A Ralph project in a new git repository, a mock model, and an agent CLI pointed at it. */
export type AgentProject = AsyncDisposable & {
  folder: string;
  model: MockModel;
  /** @param env added to the clean environment; null removes a variable */
  start(args: readonly string[], env?: Environment): Running;
  run(args: readonly string[], env?: Environment): Promise<Ended>;
  /** The journal of the newest run. */
  journal(): Journal;
  /** The projection for other programs. */
  status(): Record<string, unknown>;
  /** The text of a project file; null if there is none. */
  read(path: string): string | null;
  write(path: string, text: string): void;
  remove(path: string): void;
  hasJournal(): boolean;
};

export type Environment = Readonly<Record<string, string | null>>;

const PLAN = "# Plan\n\n- [ ] Write one.txt\n- [ ] Write two.txt\n";

/**
 * The project's first commit contains a prompt, a plan with two open boxes and one source file.
 * @param pointAt writes the files that point the agent's CLI at the model below its home, and returns its environment
 */
export async function agentProject(
  scenario: string,
  pointAt: (url: string, home: string) => Readonly<Record<string, string>>,
): Promise<AgentProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-agent-")));
  const home = realpathSync(mkdtempSync(join(tmpdir(), "ralph-home-")));
  const model = await mockModel(scenario, folder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(".ralph/PROMPT.md", "Do the next open task of the plan, and tick its box.\n");
  write(".ralph/@fix_plan.md", PLAN);
  write("README.md", "A project.\n");
  const machine = { ...cleanEnvironment(home), ...LARGE_PAGES };
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-q", "-m", "first"],
  ])
    Bun.spawnSync(["git", ...args], { cwd: folder, env: machine });

  const pointed = pointAt(model.url, home);
  const environment = (env: Environment): Record<string, string> => {
    const all = { ...machine, ...earlyInTheHour(), ...proxies(), ...pointed, ...env };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
  };
  const start = (args: readonly string[], env: Environment = {}): Running => {
    const child = Bun.spawn([binary, ...args], {
      cwd: folder,
      env: environment(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return {
      pid: child.pid,
      signal: (name) => child.kill(name),
      ended: ended.then(([exitCode, stdout, stderr]) => ({ exitCode, stdout, stderr })),
    };
  };
  const read = (path: string) => {
    const file = join(folder, path);
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  };
  return {
    folder,
    model,
    start,
    run: (args, env) => start(args, env).ended,
    journal: () => {
      const newest = journals(folder).at(-1);
      if (newest === undefined) throw new Error("no run left a journal");
      return newest;
    },
    status: () => JSON.parse(read(".ralph/status.json") ?? "{}"),
    read,
    write,
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    hasJournal: () => journals(folder).length > 0,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The dead proxy of `npm run test:agents`: only loopback is reachable. */
function proxies(): Record<string, string> {
  const { HTTP_PROXY = "", HTTPS_PROXY = "", NO_PROXY = "" } = process.env;
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
}
