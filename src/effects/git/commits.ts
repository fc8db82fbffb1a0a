/** Finds the commits that HEAD gained between two moments, as `git rev-list A..B` does. */
import { join } from "node:path";
import type { GitBinary } from "./binary.ts";
import type { GitSettings } from "./git-settings.ts";
import { createObjectFs } from "./object-fs.ts";
import { readText } from "./read.ts";
import type { Repository } from "./repository.ts";

const OBJECT_ID = /^[0-9a-f]{40,64}$/;
export const MAX_COMMITS = 50;
/** The search gives up after reading this many commits: such histories share nothing recent. */
const MAX_READS = 2_000;

export type Commit = { parents: readonly string[] /** Seconds since the epoch. */; time: number };

/**
 * Ids of the commits reachable from `after` but not from `before` (null: there was none), newest first, at most 50. Never
 * fails: if the files cannot be read it asks git; without git the list is empty.
 */
export async function commitsBetween(
  repository: Repository,
  settings: GitSettings,
  git: GitBinary,
  before: string | null,
  after: string,
): Promise<string[]> {
  try {
    if (settings.objectFormat !== "sha1") throw new Error("isomorphic-git reads sha1 only");
    return await listNew(before, after, await createCommitReader(repository));
  } catch {
    if (![before ?? after, after].every((id) => OBJECT_ID.test(id))) return [];
    const excluded = before === null ? [] : [`^${before}`];
    const lines = git(repository, ["rev-list", `--max-count=${MAX_COMMITS}`, after, ...excluded, "--"]);
    return lines === null || lines === "" ? [] : lines.split("\n");
  }
}

/** The first line of a commit's message. Never fails: null if neither the files nor git can tell it. */
export async function subjectOf(
  repository: Repository,
  settings: GitSettings,
  git: GitBinary,
  oid: string,
): Promise<string | null> {
  // Journals name commits; what is none would be an option of git.
  if (!OBJECT_ID.test(oid)) return null;
  const line = (message: string | null) => message?.trimStart().split("\n", 1)[0]?.trim() || null;
  try {
    if (settings.objectFormat !== "sha1") throw new Error("isomorphic-git reads sha1 only");
    const { readCommit } = await import("isomorphic-git");
    const fs = createObjectFs(repository.commonDir);
    const { commit } = await readCommit({ fs, gitdir: repository.commonDir, oid });
    return line(commit.message);
  } catch {
    return line(git(repository, ["log", "--max-count=1", "--no-show-signature", "--format=%s", oid, "--"]));
  }
}

async function createCommitReader(repository: Repository): Promise<(oid: string) => Promise<Commit>> {
  const { readCommit } = await import("isomorphic-git");
  const fs = createObjectFs(repository.commonDir);
  const cache = {};
  const shallow = new Set((readText(join(repository.commonDir, "shallow")) ?? "").split(/\r?\n/));
  return async (oid) => {
    const { commit } = await readCommit({ fs, gitdir: repository.commonDir, oid, cache });
    return { parents: shallow.has(oid) ? [] : commit.parent, time: commit.committer.timestamp };
  };
}

/**
 * Walks from both ends, newest first, until everything left is reachable from `before`. Reads `before` itself only when the
 * walk passes it: old commits lie in packs, and reading a pack is expensive.
 */
export async function listNew(
  before: string | null,
  after: string,
  read: (oid: string) => Promise<Commit>,
): Promise<string[]> {
  const old = new Set(before === null ? [] : [before]);
  const commits = new Map<string, Commit>();
  const load = async (oid: string): Promise<Commit> => {
    const known = commits.get(oid);
    if (known !== undefined) return known;
    if (commits.size >= MAX_READS) throw new Error("too many commits to read");
    const commit = await read(oid);
    commits.set(oid, commit);
    return commit;
  };
  const straight = await straightLine(before, after, load);
  if (straight !== null) return straight;

  const timeOf = (oid: string): number => commits.get(oid)?.time ?? 0;
  const fresh = new Set<string>();
  const queued = new Set<string>();
  const queue: string[] = [];
  const enqueue = async (oid: string): Promise<void> => {
    if (queued.has(oid)) return;
    await load(oid);
    queued.add(oid);
    queue.push(oid);
  };
  // A queued commit can still prove that a seemingly new one is old, unless it is older than that one.
  const isOpen = (): boolean => {
    if (before === null) return queue.length > 0 && fresh.size < MAX_COMMITS;
    if (queue.some((oid) => !old.has(oid))) return true;
    const oldest = Math.min(...[...fresh].filter((oid) => !old.has(oid)).map(timeOf));
    return queue.some((oid) => timeOf(oid) >= oldest);
  };
  if (before !== null) await enqueue(before);
  await enqueue(after);
  while (isOpen()) {
    queue.sort((a, b) => timeOf(a) - timeOf(b));
    const oid = queue.pop();
    if (oid === undefined) break;
    if (!old.has(oid)) fresh.add(oid);
    for (const parent of (await load(oid)).parents) {
      if (old.has(oid)) markOld(parent, old, commits);
      await enqueue(parent);
    }
  }
  return [...fresh].filter((oid) => !old.has(oid)).slice(0, MAX_COMMITS);
}

/** The common case: single parents down to `before`; null if the history branches. */
async function straightLine(
  before: string | null,
  after: string,
  load: (oid: string) => Promise<Commit>,
): Promise<string[] | null> {
  const line: string[] = [];
  let oid: string | undefined = after;
  while (oid !== undefined && oid !== before) {
    if (line.length === MAX_COMMITS) return null;
    line.push(oid);
    const { parents }: Commit = await load(oid);
    if (parents.length > 1) return null;
    oid = parents[0];
  }
  return oid === undefined && before !== null ? null : line;
}

/** Clocks can be wrong, so a parent may be visited before its child; its ancestors are old too. */
function markOld(oid: string, old: Set<string>, commits: ReadonlyMap<string, Commit>): void {
  const stack = [oid];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (old.has(next)) continue;
    old.add(next);
    stack.push(...(commits.get(next)?.parents ?? []));
  }
}
