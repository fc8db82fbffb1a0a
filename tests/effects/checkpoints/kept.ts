/** Checkpoints of a real project in a temporary folder, and what its files are. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createCheckpoints } from "../../../src/effects/checkpoints/checkpoints.ts";
import type { Checkpoints, MadeCheckpoint, RestoredFiles } from "../../../src/effects/ports.ts";
import { projectPaths } from "../../../src/effects/project/project-paths.ts";
import { createWorkspace } from "../../../src/effects/project/workspace.ts";
import type { Sandbox } from "../git/git-sandbox.ts";

export type Kept = {
  /** Makes a checkpoint of now. */
  keep(name: string, options?: { onlyNew?: boolean }): Promise<MadeCheckpoint | null>;
  /** As `keep`, where one is surely made. @returns its commit */
  commit(name: string): Promise<string>;
  /** Goes back to a commit, after a checkpoint of now. */
  back(to: string): Promise<RestoredFiles>;
  /** Takes the changes between two commits back, for each pair, after a checkpoint of now. */
  without(...steps: { before: string; after: string }[]): ReturnType<Checkpoints["takeBack"]>;
};

export function checkpointsOf(box: Pick<Sandbox, "project" | "env">): Kept {
  mkdirSync(join(box.project, ".ralph/runs/0001"), { recursive: true });
  const { env } = box;
  const workspace = createWorkspace(box.project, { env });
  const paths = projectPaths(box.project, null, null);
  const { seen, locate } = workspace;
  const checkpoints = createCheckpoints({ paths, env, seen, locate, now: () => 1_700_000_000_000 });
  let undos = 0;
  const keep = async (name: string, { onlyNew = false } = {}) => {
    const about = { run: "0001", name, message: `checkpoint ${name}`, onlyNew };
    return checkpoints.make(await workspace.snapshot(), about);
  };
  const commit = async (name: string) => {
    const made = await keep(name);
    if (made === null) throw new Error("no checkpoint was made");
    return made.commit;
  };
  const undo = async () => {
    undos += 1;
    const run = join(box.project, ".ralph/runs/0001");
    mkdirSync(run, { recursive: true });
    return { from: await commit(`undo-${undos}`), aside: join(run, `undo-${undos}`) };
  };
  return {
    keep,
    commit,
    back: async (to) => checkpoints.restore({ ...(await undo()), to }),
    without: async (...steps) => checkpoints.takeBack({ ...(await undo()), steps, plan: null }),
  };
}

/** Every file below a folder, but for git's, ralph's and those whose name begins with `ignored`: its kind and its bytes. */
export function image(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    if (name === ".git" || name === ".ralph" || name.startsWith("ignored")) continue;
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) Object.assign(found, image(path, `${prefix}${name}/`));
    else if (stat.isSymbolicLink()) found[prefix + name] = `link ${readlinkSync(path)}`;
    else found[prefix + name] = `${isProgram(stat.mode) ? "program" : "file"} ${readFileSync(path, "base64")}`;
  }
  return found;
}

function isProgram(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o100) !== 0;
}

/** What a person has in a repository beside the files: HEAD, branches, tags, stash, index and settings, byte for byte. */
export function standing({ project }: Pick<Sandbox, "project">): Record<string, string> {
  const git = join(project, ".git");
  const found: Record<string, string> = {};
  for (const name of ["HEAD", "index", "packed-refs", "config", "logs/HEAD"])
    if (existsSync(join(git, name))) found[name] = readFileSync(join(git, name), "base64");
  for (const path of readdirSync(join(git, "refs"), { recursive: true, encoding: "utf8" }))
    if (!path.startsWith("ralph") && lstatSync(join(git, "refs", path)).isFile())
      found[path] = readFileSync(join(git, "refs", path), "utf8");
  return found;
}

/** What is wrong with a repository's objects, by git itself; empty for nothing. It names what is missing on stdout, the rest on stderr. */
export function faults({ git }: Pick<Sandbox, "git">): string {
  try {
    return git("fsck", "--strict", "--no-dangling", "--no-progress");
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}
