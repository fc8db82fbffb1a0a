/** A project in a real repository, with branches that are landed by the real job. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { defaultSettings, type Settings } from "../../../src/core/settings/settings.ts";
import { createClaimStore } from "../../../src/effects/fleet/claims.ts";
import { queueName } from "../../../src/effects/fleet/queue.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createHost } from "../../../src/effects/host.ts";
import { openLandYard } from "../../../src/effects/land/land-yard.ts";
import type { LandYard } from "../../../src/effects/ports.ts";
import { projectPaths } from "../../../src/effects/project/project-paths.ts";
import { createWorld } from "../../../src/effects/world.ts";
import { type LandOptions, type LandResult, landBranches } from "../../../src/run/jobs/land.ts";
import { withRun } from "../../../src/run/run.ts";

export type Landing = {
  dir: string;
  env: Record<string, string>;
  git(...args: string[]): string;
  /** Runs git in another folder. */
  gitIn(folder: string, ...args: string[]): string;
  write(files: Record<string, string>): void;
  read(path: string): string;
  has(path: string): boolean;
  /** Makes a branch from main with one commit of these files (null: deleted), and goes back to main. */
  branch(name: string, files: Record<string, string | null>, from?: string): string;
  /** The same, handed in as the work on a task. */
  handIn(
    task: string,
    text: string,
    files: Record<string, string | null>,
    tries?: number,
    below?: string,
  ): Promise<string>;
  claims(): Promise<Map<string, TaskClaim>>;
  land(options?: Partial<LandCall>): Promise<LandResult>;
  /** The events of all passes. */
  events: RalphEvent[];
  cleanUp(): void;
};

export type LandCall = Omit<LandOptions, "yard"> & {
  onto: string | null;
  hub: string | null;
  /** The project's folder below the root. */
  below: string;
  settings: Partial<Settings>;
  /** Lets a test come in between. */
  around(yard: LandYard): LandYard;
};

const folders: string[] = [];

export function cleanUpLandings(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function landing(
  files: Record<string, string> = {},
  { hub = null as string | null, clone = null as string | null } = {},
): Landing {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ralph-land-")));
  folders.push(top);
  const dir = join(top, "project");
  const home = join(top, "home");
  mkdirSync(home);
  const env = {
    ...{
      PATH: process.env.PATH ?? "",
      HOME: home,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: join(home, "gitconfig"),
    },
    ...{
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.org",
    },
  };
  writeFileSync(env.GIT_CONFIG_GLOBAL, '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n');
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  const git = (...args: string[]) => gitIn(dir, ...args);
  const put = (path: string, text: string | null) => {
    const file = join(dir, path);
    if (text === null) return rmSync(file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (path.endsWith(".sh")) chmodSync(file, 0o755);
  };
  const write = (all: Record<string, string>) => {
    for (const [path, text] of Object.entries(all)) put(path, text);
  };
  if (clone !== null) gitIn(top, "clone", "--quiet", clone, dir);
  else {
    mkdirSync(dir);
    git("init", "--quiet");
    write({ ".gitignore": ".ralph/*\n!.ralph/@fix_plan.md\n", ".ralph/PROMPT.md": "Work.\n", ...files });
    git("add", "--all");
    git("commit", "--quiet", "-m", "first");
  }
  if (clone !== null) write({ ".ralph/PROMPT.md": "Work.\n" });
  const storeOf = (prefix: string) =>
    createClaimStore(createGit(dir, env), hub ?? dir, queueName({ target: "main", prefix }));
  const events: RalphEvent[] = [];
  const branch = (name: string, changed: Record<string, string | null>, from = "main") => {
    git("checkout", "--quiet", "-b", name, from);
    for (const [path, text] of Object.entries(changed)) put(path, text);
    git("add", "--all");
    git("commit", "--quiet", "-m", `work on ${name}`);
    const commit = git("rev-parse", "HEAD");
    git("checkout", "--quiet", "main");
    return commit;
  };
  return {
    ...{ dir, env, git, gitIn, write, branch, events },
    read: (path) => readFileSync(join(dir, path), "utf8"),
    has: (path) => existsSync(join(dir, path)),
    async handIn(task, text, changed, tries = 0, below = "") {
      const name = `ralph/${task}`;
      const commit = branch(name, changed);
      if (hub !== null) git("push", "--quiet", hub, `${name}:${name}`);
      await storeOf(below).swap(task, null, {
        state: "handed_in",
        task,
        text,
        worker: { name: "w1" },
        branch: name,
        commit,
        tries,
      });
      return commit;
    },
    async claims() {
      return new Map([...(await storeOf("").list())].map(([task, { claim }]) => [task, claim]));
    },
    async land({
      named = null,
      untested = false,
      acceptWeaker = false,
      onto = null,
      hub: to = hub,
      settings = {},
      below = "",
      around = (yard: LandYard): LandYard => yard,
    } = {}) {
      const project = join(dir, below);
      const host = createHost(project, env);
      const world = createWorld({ paths: projectPaths(project, null, null), host, use: { kind: "read", files: [] } });
      const spec = {
        driver: null,
        version: "1.0.0",
        startedBy: "land",
        recordIn: "new run",
        takesCommands: false,
        settings: { ...defaultSettings(), TEST_COMMAND: "sh check.sh", ...settings },
        subscribers: [
          {
            name: "test",
            onEvents: (steps: readonly { event: RalphEvent }[]) => void events.push(...steps.map(({ event }) => event)),
          },
        ],
      } as const;
      const yard = await openLandYard({
        project,
        env,
        onto,
        hub: to,
        signal: new AbortController().signal,
        settings: { TASKS_FILE: null, OPTIONAL_SECTIONS: [] },
      });
      return withRun(world, spec, async (run) => {
        const result = await landBranches(run, { yard: around(yard), named, untested, acceptWeaker });
        run.finish("plan_complete", "");
        return result;
      });
    },
    cleanUp: () => rmSync(top, { recursive: true, force: true }),
  };
}
