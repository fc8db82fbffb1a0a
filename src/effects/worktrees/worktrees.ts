/** The linked worktrees of a project, each of them a project of its own below `.ralph/worktrees/`. */
import { join, sep } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import type { Masks } from "../../core/secrets/mask.ts";
import { isCheckout, listRecords, readRecord, rootOf, WORKTREES, type WorktreeRecord } from "./record.ts";

export type Worktree = {
  name: string;
  /** The checkout. */
  root: string;
  /** The project in it. */
  project: string;
  branch: string;
  /** The first of `PORTS_EACH` ports that are its own. */
  portBase: number;
  /** Whether its set-up is done. */
  ready: boolean;
};

export type OpenOptions = {
  /** Absolute, links resolved. */
  project: string;
  /** Null for a short one that is free. */
  name: string | null;
  /** Default: ralph/<name>, which must not exist. One that is named here may exist, if no worktree has it checked out. */
  branch?: string;
  /** Commit or branch to begin from. Default: HEAD. */
  base?: string;
  /** Of the project, with forward slashes: more files that come along. */
  files?: readonly string[];
  /** A command that runs once in a new worktree. */
  setup: string | null;
  /** Take the secrets out of what it prints. */
  masks: Masks;
  env: EnvVars;
  signal: AbortSignal;
  /** Says what is being done, in a sentence. */
  say(text: string): void;
};

/** The worktrees of a project whose files are there, by name. */
export function listWorktrees(project: string): Worktree[] {
  return listRecords(project).flatMap((one) =>
    one.state === "made" || one.state === "ready" ? [worktreeOf(project, one)] : [],
  );
}

/** A worktree that was killed while it was made or removed. */
export type HalfWorktree = { owner: string; name: string; state: "half made" | "half removed" };

/** Those of these projects, and of the owners of those that are worktrees. */
export function halfWorktrees(projects: readonly string[]): HalfWorktree[] {
  return [...new Set(projects.map(ownerOf))].flatMap((owner) =>
    listRecords(owner).flatMap(({ name, state }) => {
      const half = halfOf(state);
      return half === null ? [] : [{ owner, name, state: half }];
    }),
  );
}

/** Null for one whose files are there. */
export function halfOf(state: WorktreeRecord["state"]): HalfWorktree["state"] | null {
  if (state === "making") return "half made";
  return state === "removing" ? "half removed" : null;
}

/** Variables for whatever runs in a worktree; none elsewhere. */
export function worktreeEnv(project: string): Record<string, string> {
  const found = recordedAt(project);
  return found === null ? {} : { RALPH_WORKTREE: found.record.name, RALPH_PORT_BASE: String(found.record.port_base) };
}

/** The project that a worktree belongs to; the project itself if it is none. */
export function ownerOf(project: string): string {
  return recordedAt(project)?.owner ?? project;
}

/**
 * Sees that a worktree is one still: without its `.git`, git would take the repository of the project around it for its own.
 * @throws RalphError `environment` for one that is none; nothing for what never was one
 */
export function mustBeCheckout(project: string): void {
  const found = recordedAt(project);
  if (found !== null) isCheckout(rootOf(found.owner, found.record.name), found.record.name);
}

/** The worktree that a record describes. */
export function worktreeOf(owner: string, { name, branch, prefix, port_base, state }: WorktreeRecord): Worktree {
  const root = rootOf(owner, name);
  return { name, root, project: join(root, prefix), branch, portBase: port_base, ready: state === "ready" };
}

/** Only of what ralph itself has recorded: a clone may have folders of any name. */
function recordedAt(project: string): { owner: string; record: WorktreeRecord } | null {
  const marker = `${sep}${WORKTREES}${sep}`;
  const at = project.lastIndexOf(marker);
  if (at === -1) return null;
  const owner = project.slice(0, at);
  const [name = ""] = project.slice(at + marker.length).split(sep);
  const record = readRecord(owner, name);
  return record !== null && worktreeOf(owner, record).project === project ? { owner, record } : null;
}
