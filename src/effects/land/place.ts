/** The project's repository, and the branch that landed work goes to. */
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { slashPath } from "../files/slash-path.ts";
import { createGit, type Git, gitError, gitSaid, TRANSFER_TIMEOUT_MS } from "../git/git-program.ts";
import { stoppableRemote } from "../git/remote-git.ts";
import { discoverRepository } from "../git/repository.ts";

export type LandPlace = {
  git: Git;
  env: EnvVars;
  project: string;
  root: string;
  /** The project's path from the root, with forward slashes; "" for the root. */
  prefix: string;
  /** Name of the target, without `refs/heads/`. */
  target: string;
  /** Name or URL of the remote that has target and queue; null: this repository. */
  hub: string | null;
  /** That of `createGit`. */
  stop?: AbortSignal | undefined;
};

export type PlaceOptions = {
  /** Absolute, links resolved. */
  project: string;
  env: EnvVars;
  onto: string | null;
  hub: string | null;
  /** Ends what git does with a remote hub, and leaves all else that it does some seconds. */
  signal?: AbortSignal;
};

/** @throws RalphError `environment` without a repository, git, a commit, or such a branch */
export async function openPlace({ project, env, onto, hub, signal }: PlaceOptions): Promise<LandPlace> {
  const repository = discoverRepository(project);
  if (repository === null)
    throw new RalphError("environment", `There is nothing to land: ${project} is in no git repository.`, {
      hint: "Name the project's folder with -C.",
    });
  const { root } = repository;
  const own = createGit(root, env, signal);
  const git = hub === null || signal === undefined ? own : stoppableRemote(own, signal);
  const target = onto === null ? await defaultTarget(git, hub) : onto.replace(/^refs\/heads\//, "");
  const prefix = slashPath(root, project);
  return { git, env, project, root, prefix, target, hub, stop: signal };
}

/** The branch that is checked out; of a remote the one that its HEAD names. */
async function defaultTarget(git: Git, hub: string | null): Promise<string> {
  if (hub === null) {
    const args = ["symbolic-ref", "--quiet", "HEAD"];
    const head = await git.run(args);
    if (head.code === 0) return head.stdout.trim().replace(/^refs\/heads\//, "");
    // Whatever else it ends with is a repository that git refuses.
    if (head.code !== 1) throw gitError(args, head);
    throw new RalphError("environment", "No branch is checked out here, so there is none to land on.", {
      hint: "Name it with --onto BRANCH.",
    });
  }
  const args = ["ls-remote", "--symref", "--", hub, "HEAD"];
  const asked = await git.run(args);
  const name = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(asked.stdout)?.[1];
  if (asked.code === 0 && name !== undefined) return name;
  throw new RalphError(
    "environment",
    asked.code === 0
      ? `The remote ${hub} names no main branch.`
      : `The remote ${hub} does not answer: ${gitSaid(asked)}`,
    { hint: "Name the branch with --onto BRANCH." },
  );
}

/** The commits of refs in the hub, by their full names. @throws RalphError `environment` if it does not answer */
export async function hubRefs({ git, hub }: LandPlace, patterns: readonly string[]): Promise<Map<string, string>> {
  const args =
    hub === null
      ? ["for-each-ref", "--format=%(objectname)%09%(refname)", ...patterns]
      : ["ls-remote", "--", hub, ...patterns];
  const { code, stdout, ...rest } = await git.run(args);
  if (code !== 0)
    throw new RalphError(
      "environment",
      `The remote ${hub ?? "."} does not answer: ${gitSaid({ code, stdout, ...rest })}`,
      { hint: "Nothing was changed. Try again." },
    );
  const lines = stdout.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf("\t") + 1), line.slice(0, line.indexOf("\t"))]));
}

/** Brings commits of the hub here. @throws RalphError `environment` if that fails */
export async function fetchRefs({ git, hub }: LandPlace, refs: readonly string[]): Promise<void> {
  if (hub === null || refs.length === 0) return;
  const args = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--",
    hub,
    ...refs,
  ];
  const fetched = await git.run(args, { timeoutMs: TRANSFER_TIMEOUT_MS });
  if (fetched.code !== 0)
    throw new RalphError("environment", `The branches cannot be fetched from ${hub}: ${gitSaid(fetched)}`, {
      hint: "Nothing was changed. Try again.",
    });
}

/**
 * The same, brought here. What somebody deletes meanwhile is told as not there.
 * @throws RalphError `environment` if it does not answer, or what it has cannot be fetched
 */
export async function takeRefs(place: LandPlace, refs: readonly string[]): Promise<Map<string, string>> {
  const found = await hubRefs(place, refs);
  const there = refs.filter((ref) => found.has(ref));
  try {
    await fetchRefs(place, there);
    return found;
  } catch (error) {
    const now = await hubRefs(place, there);
    if (there.every((ref) => now.has(ref))) throw error;
    return takeRefs(place, there);
  }
}

/** What all checkouts of the repository share: the hub of work that stays on this machine. */
export function commonDir(git: Git): Promise<string> {
  return git.need(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
}
