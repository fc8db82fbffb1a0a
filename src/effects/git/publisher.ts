/** Branches, tags and remotes by the git program, for the git steps of a run (product.md "Git steps"). */
import { resolve } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { LargeFile, Publisher, RebaseConflict, RebaseEnd, Tried } from "../ports.ts";
import { commitAll } from "./commit-all.ts";
import {
  createGit,
  type Git,
  type GitOptions,
  type GitResult,
  gitSaid,
  nameOf,
  WRITES_AFTER_STOP_MS,
} from "./git-program.ts";
import { identityArgs } from "./identity.ts";
import { isAncestor } from "./is-ancestor.ts";
import { largeStaged } from "./large-files.ts";
import { overwrittenByRebase } from "./overwritten.ts";
import { readText } from "./read.ts";
import { underWay } from "./under-way.ts";

/** ms for one call of git. */
export type Patience = { look: number; transfer: number; local: number };

const PATIENCE: Patience = { look: 60_000, transfer: 300_000, local: 600_000 };
/** A transfer that stands still ends sooner. */
const SLOW = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"];
/** The user's settings must neither move other branches nor stash what is not committed. */
const PLAIN_REBASE = ["-c", "rebase.updateRefs=false", "-c", "rebase.autoStash=false", "-c", "rebase.autoSquash=false"];
const MARK = /^(?:<{7}|>{7})(?: |$)/m;

/** @param dir a folder in the checkout @param stop that of `createGit` */
export function createPublisher(
  dir: string,
  env: EnvVars,
  { patience = PATIENCE, stop }: { patience?: Patience; stop?: AbortSignal } = {},
): Publisher {
  const git = createGit(dir, env, stop);
  const back = createGit(dir, env, stop, WRITES_AFTER_STOP_MS);
  const network = (signal: AbortSignal, timeoutMs: number) => ({ signal, timeoutMs });
  const pushUrl = (remote: string) => git.need(["remote", "get-url", "--push", remote]);
  return {
    checkout: () =>
      tried(async () => ({
        branch: (await textOf(git, ["symbolic-ref", "--quiet", "--short", "HEAD"])) || null,
        head: (await textOf(git, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])) || null,
        busy: await underWay(git),
        isChanged:
          (await git.need(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"])) !== "",
      })),
    uncommitted: () => tried(() => uncommitted(git)),
    commitAll: (message, signal) =>
      tried(async () => {
        let large: LargeFile[] = [];
        const onStaged = async (paths: readonly string[]) => {
          large = await largeStaged(git, paths);
        };
        const commit = await commitAll(git, message, { signal, onStaged });
        return commit === null ? null : { commit, large };
      }),
    base: (name) => tried(() => findBase(git, name)),
    fetch: ({ name, branch }, signal) =>
      done(git, [...SLOW, "fetch", "--no-tags", "--no-recurse-submodules", "--quiet", name, refspec(name, branch)], {
        ...network(signal, patience.transfer),
      }),
    isAncestor: (commit, of) => isAncestor(git, commit, of),
    overwrittenByRebase: (onto) => tried(() => overwrittenByRebase(git, onto)),
    rebase: (onto, signal) =>
      tried(async () => {
        const args = [...PLAIN_REBASE, ...(await identityArgs(git)), "rebase", "--rebase-merges", "--quiet", onto];
        return rebased(git, await git.run(args, { signal, timeoutMs: patience.local, hooks: true }));
      }),
    rebaseOn: (after, signal) => tried(() => goOn(git, after, { signal, timeoutMs: patience.local })),
    async rebasedFrom() {
      const path = await textOf(git, ["rev-parse", "--git-path", "rebase-merge/orig-head"]);
      return path === "" ? null : (readText(resolve(dir, path))?.trim() ?? null);
    },
    async giveUpRebase() {
      const options = { timeoutMs: patience.local };
      const given = await done(back, ["rebase", "--abort"], options);
      // Something stands in the way of its files; the caller has them elsewhere.
      return "failed" in given ? done(back, ["rebase", "--quit"], options) : given;
    },
    async lostByRebase(from, onto) {
      const number = async (...args: string[]) =>
        Number(await textOf(git, ["rev-list", "--count", "--no-merges", ...args]));
      const before = await number("--cherry-pick", "--right-only", `${onto}...${from}`);
      return Math.max(0, before - (await number(`${onto}..HEAD`)));
    },
    async putBranchBack(branch, commit) {
      const head = ["symbolic-ref", "--quiet", "--short", "HEAD"];
      const isThere = (await textOf(git, head)) === branch && (await textOf(git, ["rev-parse", "HEAD"])) === commit;
      if (isThere) return;
      await back.run(["symbolic-ref", "-m", "ralph: a rebase was given up", "HEAD", `refs/heads/${branch}`]);
      await back.run(["reset", "--quiet", "--mixed", commit]);
    },
    async remotes() {
      const main = async (name: string) => textOf(git, ["symbolic-ref", "--quiet", `refs/remotes/${name}/HEAD`]);
      const known: { name: string; main: string | null }[] = [];
      for (const name of lines(await textOf(git, ["remote"])))
        known.push({ name, main: (await main(name)).slice(`refs/remotes/${name}/`.length) || null });
      return known;
    },
    remoteOf: (branch) => remoteOf(git, branch),
    look: (remote, branch, signal) =>
      tried(async () => {
        const url = await pushUrl(remote);
        const args = [...SLOW, "ls-remote", "--symref", url, "HEAD", `refs/heads/${branch}`];
        return readLook(await needed(git, args, network(signal, patience.look)), branch);
      }),
    push({ remote, ref, commit, replaces }, signal) {
      const lease = replaces === null ? [] : [`--force-with-lease=${ref}:${replaces}`];
      const args = ["-c", "push.followTags=false", "push", "--quiet", ...lease, remote, `${commit}:${ref}`];
      return done(git, [...SLOW, ...args], { ...network(signal, patience.transfer), hooks: true });
    },
    tags: (remote, signal) =>
      tried(async () => {
        const local = lines(await git.need(["for-each-ref", "--format=%(refname:strip=2)", "refs/tags"]));
        const head = lines(await git.need(["tag", "--points-at", "HEAD"]));
        if (remote === null) return { all: local, remote: [], head };
        const args = [...SLOW, "ls-remote", "--tags", "--refs", await pushUrl(remote)];
        const there = lines(await needed(git, args, network(signal, patience.look))).map((line) =>
          line.replace(/^\S+\s+refs\/tags\//, ""),
        );
        return { all: [...new Set([...local, ...there])], remote: there, head };
      }),
    tag: (name, commit, message) =>
      tried(async () => {
        const args = [...(await identityArgs(git)), "tag", "--annotate", "--file=-", name, commit];
        await needed(git, args, { input: message, timeoutMs: patience.local });
        return git.need(["rev-parse", "--verify", `refs/tags/${name}`]);
      }),
    async untag(name, id) {
      await git.run(["update-ref", "-d", `refs/tags/${name}`, id]);
    },
  };
}

/** A git that failed, on its way to a value. */
class GitFailed extends Error {
  readonly result: GitResult;

  constructor(args: readonly string[], result: GitResult) {
    super(`${result.ended === "timed_out" ? `${nameOf(args)}: ` : ""}${gitSaid(result)}`);
    this.result = result;
  }
}

async function tried<T>(act: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await act() };
  } catch (error) {
    if (error instanceof GitFailed) {
      const { ended } = error.result;
      return { failed: error.message, ...(ended === undefined ? {} : { ended }) };
    }
    if (error instanceof RalphError) return { failed: error.message };
    throw error;
  }
}

async function needed(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  const result = await git.run(args, options);
  if (result.code !== 0) throw new GitFailed(args, result);
  return result.stdout;
}

function done(git: Git, args: readonly string[], options: GitOptions): Promise<Tried<null>> {
  return tried(async () => {
    await needed(git, args, options);
    return null;
  });
}

/** Its trimmed output; "" if it failed. */
async function textOf(git: Git, args: readonly string[]): Promise<string> {
  const { code, stdout } = await git.run(args);
  return code === 0 ? stdout.trim() : "";
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** A repository inside this one is listed with a slash at its end: no commit here has its files. */
async function uncommitted(git: Git): Promise<string[]> {
  const args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty"];
  const { code, ...result } = await git.run(args);
  if (code !== 0) throw new GitFailed(args, { code, ...result });
  const paths = result.stdout.split("\0").map((line) => line.slice("?? ".length));
  return paths.filter((path) => path !== "" && !path.endsWith("/"));
}

function refspec(remote: string, branch: string): string {
  return `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
}

async function findBase(git: Git, name: string) {
  if (name.startsWith("-")) return null;
  const known = await textOf(git, ["rev-parse", "--verify", "--quiet", "--symbolic-full-name", name]);
  const remotes = lines(await git.need(["remote"])).sort((a, b) => b.length - a.length);
  const isLocal = known.startsWith("refs/heads/");
  const at = known.startsWith("refs/remotes/") ? known.slice("refs/remotes/".length) : known === "" ? name : "";
  const remote = isLocal ? undefined : remotes.find((one) => at.startsWith(`${one}/`) && at !== `${one}/`);
  if (!isLocal && remote === undefined) return null;
  const ref = isLocal ? known : `refs/remotes/${at}`;
  const commit = (await textOf(git, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`])) || null;
  return { commit, remote: remote === undefined ? null : { name: remote, branch: at.slice(remote.length + 1) } };
}

/** @throws GitFailed if it stopped for anything but a conflict */
async function rebased(git: Git, result: GitResult): Promise<RebaseEnd> {
  if (result.code === 0 && (await underWay(git)) === null) return "done";
  const conflict = result.ended === undefined ? await conflictOf(git) : null;
  if (conflict === null) throw new GitFailed(["rebase"], result);
  return conflict;
}

async function conflictOf(git: Git): Promise<RebaseConflict | null> {
  if ((await underWay(git)) !== "rebase") return null;
  const paths = await unmerged(git);
  if (paths.length === 0) return null;
  const root = await git.need(["rev-parse", "--show-toplevel"]);
  const subject = await textOf(git, ["log", "--max-count=1", "--no-show-signature", "--format=%s", "REBASE_HEAD"]);
  return { subject, paths, marked: paths.filter((path) => hasMarks(resolve(root, path))) };
}

async function unmerged(git: Git): Promise<string[]> {
  const root = await git.need(["rev-parse", "--show-toplevel"]);
  const listed = await git.need(["-C", root, "ls-files", "-z", "--unmerged"]);
  const paths = listed.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(line.indexOf("\t") + 1)]));
  return [...new Set(paths)];
}

function hasMarks(file: string): boolean {
  return MARK.test(readText(file) ?? "");
}

/** A rebase of ours lists none: `x` and `exec` of its list run a command, and another strategy is a program too. */
const RUNS = {
  "rebase-merge/git-rebase-todo": /^[ \t]*(?:x|exec)(?:[ \t]|$)/m,
  "rebase-merge/strategy": /^(?!(?:ort|recursive)$)./,
};

/** Whoever is shut in may write these files, and git would obey them outside. @throws RalphError `environment` if one names a command */
async function mustRunNothing(git: Git): Promise<void> {
  for (const [name, command] of Object.entries(RUNS)) {
    const path = resolve(git.dir, await git.need(["rev-parse", "--git-path", name]));
    if (command.test(readText(path)?.trimEnd() ?? ""))
      throw new RalphError(
        "environment",
        `${name} of the repository names a command to run, which ralph did not put there.`,
      );
  }
}

/**
 * What git left without marks counts as solved only once it is staged: there a file that nobody touched looks like a solution. An agent may
 * also have gone on by itself.
 */
async function goOn(git: Git, { paths, marked }: RebaseConflict, options: GitOptions): Promise<RebaseEnd | "unsolved"> {
  if ((await underWay(git)) !== "rebase") return "done";
  await mustRunNothing(git);
  const root = await git.need(["rev-parse", "--show-toplevel"]);
  const left = await unmerged(git);
  if (left.some((path) => !marked.includes(path))) return "unsolved";
  if ([...paths, ...left].some((path) => hasMarks(resolve(root, path)))) return "unsolved";
  if (left.length > 0) await git.need(["-C", root, "add", "--all", "--", ...left.map((path) => `:(literal)${path}`)]);
  const args = [...PLAIN_REBASE, ...(await identityArgs(git)), "rebase", "--continue"];
  return rebased(git, await git.run(args, { ...options, hooks: true }));
}

async function remoteOf(git: Git, branch: string): Promise<string | null> {
  const remotes = lines(await git.need(["remote"]));
  const keys = [`branch.${branch}.pushRemote`, "remote.pushDefault", `branch.${branch}.remote`];
  for (const key of keys) {
    const named = await textOf(git, ["config", key]);
    if (remotes.includes(named)) return named;
  }
  if (remotes.length === 1) return remotes[0] ?? null;
  return remotes.includes("origin") ? "origin" : null;
}

function readLook(text: string, branch: string): { tip: string | null; main: string | null } {
  const main = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(text)?.[1] ?? null;
  const line = lines(text).find((one) => one.endsWith(`\trefs/heads/${branch}`));
  return { tip: line?.split("\t")[0] ?? null, main };
}
