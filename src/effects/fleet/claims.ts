/**
 * The claims on a plan's tasks, as refs of a repository that all workers reach: a claim changes only by a push that must find what
 * was there (compare and swap), so that of any number of workers one has a task.
 */
import { CLAIM_REFS, claimMessage, parseClaim, type TaskClaim, unreadableClaim } from "../../core/fleet/claim.ts";
import { TASK_ID } from "../../core/tasks/task-graph.ts";
import { type Git, type GitResult, gitError } from "../git/git-program.ts";
import { hubRefs, isOwnRepository } from "./hub-refs.ts";

/** A claim, and the id of the commit that holds it. */
export type HeldClaim = { id: string; claim: TaskClaim };

/** What goes with the change of a claim, in one push: all of it arrives, or none. Options and refspecs of `git push`. */
export type PushedAlong = { options: readonly string[]; refs: readonly string[] };

export type ClaimStore = {
  /** All claims by the ids of their tasks; one that is none of theirs counts as parked, and refs of other names are left out. @throws RalphError `environment` if the hub is not reached */
  list(): Promise<Map<string, HeldClaim>>;
  /**
   * Changes the claim on a task.
   * @param expected the commit that holds the claim now; null: there must be none
   * @param next null: deletes it
   * @param along arrives if and only if the claim changes
   * @returns the new claim's commit, or "" for none; null if somebody else was faster
   * @throws RalphError `environment` if the hub is not reached or refuses
   */
  swap(
    task: string,
    expected: string | null,
    next: TaskClaim | null,
    along?: PushedAlong | null,
  ): Promise<string | null>;
};

/** A claim may change between a look and the fetch of what it saw. */
const MOST_LOOKS = 5;
/** Somebody may hold the ref's lock for a moment. */
const MOST_TRIES = 3;
const IDENTITY = {
  GIT_AUTHOR_NAME: "ralph",
  GIT_AUTHOR_EMAIL: "ralph@localhost",
  GIT_COMMITTER_NAME: "ralph",
  GIT_COMMITTER_EMAIL: "ralph@localhost",
};
/** What git says of a ref that is not as the push expected it. */
const LOST =
  /\[(?:remote )?rejected\].*\((?:stale info|already exists|fetch first|cannot lock ref|failed to update ref|reference already exists)/;

/**
 * @param hub name, URL or path of the repository; a path must not be one that fetches by programs
 * @param queue see queue.ts
 */
export function createClaimStore(git: Git, hub: string, queue: string): ClaimStore {
  const folder = claimFolder(queue);
  const isOwn = isOwnRepository(git, hub);
  /** The tree of every claim: git finds it without a file of its own, so it is written once. */
  let tree = "";
  const claimsThere = async () => {
    const refs = await hubRefs(git, hub, folder);
    return new Map([...refs].map(([ref, commit]) => [ref.slice(folder.length + 1), commit]));
  };
  return {
    async list() {
      const refs = isOwn ? await claimsThere() : await fetchedClaims(git, { hub, folder, claimsThere });
      const claims = new Map<string, HeldClaim>();
      if (refs.size === 0) return claims;
      const format = ["log", "--no-walk=unsorted", "--stdin", "--format=%H%x00%B%x00%x00"];
      const text = await git.need(format, { input: `${[...refs.values()].join("\n")}\n` });
      const messages = new Map(text.split("\0\0").map((entry) => splitOnce(entry.trimStart())));
      for (const [task, id] of refs) {
        const claim = parseClaim(messages.get(id) ?? "");
        if (claim?.task === task) claims.set(task, { id, claim });
        else if (TASK_ID.test(task)) claims.set(task, { id, claim: unreadableClaim(task) });
      }
      return claims;
    },

    async swap(task, expected, next, along = null) {
      const ref = `${folder}/${task}`;
      if (next !== null && tree === "") tree = await git.need(["mktree"]);
      const commit = next === null ? "" : await claimCommit(git, tree, next);
      // Without a push nothing goes along, and there is no other program whose words tell why it did not change.
      const isHere = isOwn && along === null;
      const update = ["update-ref", "--no-deref", ...(commit === "" ? ["-d", ref] : [ref, commit]), expected ?? ""];
      const args = isHere ? update : pushArgs({ hub, ref, expected, commit, along });
      for (let tries = 1; ; tries += 1) {
        const result = await git.run(args);
        if (result.code === 0) return commit;
        if (result.ended !== undefined || !(isHere || isLost(result))) throw gitError(args, result);
        // A hub in which something else is in the claim's way says the same: taken for lost, it would be tried for ever.
        const there = (await claimsThere()).get(task) ?? null;
        if (along !== null || there !== expected) return null;
        if (tries === MOST_TRIES) throw gitError(args, result);
      }
    },
  };
}

type Push = { hub: string; ref: string; expected: string | null; commit: string; along: PushedAlong | null };

function pushArgs({ hub, ref, expected, commit, along }: Push): string[] {
  return [
    "push",
    "--porcelain",
    "--no-verify",
    ...(along === null ? [] : ["--atomic", ...along.options]),
    `--force-with-lease=${ref}:${expected ?? ""}`,
    hub,
    `${commit}:${ref}`,
    ...(along?.refs ?? []),
  ];
}

/** The folder of a queue's claims, without a slash at its end. */
export function claimFolder(queue: string): string {
  return `${CLAIM_REFS}/${queue}`;
}

function isLost({ stdout, stderr }: GitResult): boolean {
  return LOST.test(stdout) || LOST.test(stderr);
}

/** A commit without files, whose message is the claim. */
async function claimCommit(git: Git, tree: string, claim: TaskClaim): Promise<string> {
  return git.need(["commit-tree", "--no-gpg-sign", tree, "-m", claimMessage(claim)], { env: IDENTITY });
}

type Hub = { hub: string; folder: string; claimsThere: () => Promise<Map<string, string>> };

/** The commits of all claims by the ids of their tasks, all of them in the own repository: without a ref, as working trees share those. */
async function fetchedClaims(git: Git, { hub, folder, claimsThere }: Hub): Promise<Map<string, string>> {
  for (let look = 1; ; look += 1) {
    const refs = await claimsThere();
    const missing = await missingOf(git, [...refs.values()]);
    if (missing.size === 0) return refs;
    const wanted = [...refs].flatMap(([task, commit]) => (missing.has(commit) ? [`${folder}/${task}`] : []));
    const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--stdin", hub];
    const result = await git.run(args, { input: `${wanted.join("\n")}\n` });
    // A claim that was deleted meanwhile cannot be fetched any more.
    if (result.code !== 0 && look === MOST_LOOKS) throw gitError(args, result);
  }
}

async function missingOf(git: Git, commits: readonly string[]): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const text = await git.need(["cat-file", "--batch-check"], { input: `${commits.join("\n")}\n` });
  return new Set(
    text.split("\n").flatMap((line) => (line.endsWith(" missing") ? [line.slice(0, -" missing".length)] : [])),
  );
}

function splitOnce(entry: string): [string, string] {
  const [commit = "", message = ""] = entry.split("\0");
  return [commit, message];
}
