import type { IterationRange } from "../checkpoints/checkpoint-list.ts";
import type { EventOf, RalphEvent } from "../journal/event.ts";
import type { FileDiff } from "./file-diff.ts";
import { changedBy } from "./tool-edits.ts";

/**
 * Where a change is known from: checkpoints, which have all of it; else commits, the work tree against HEAD, or what the agent's tools
 * reported.
 */
export type DiffSource = "checkpoints" | "commits" | "work_tree" | "tools";

/** A commit, with the first line of its message; null if that cannot be read. */
export type NamedCommit = { id: string; subject: string | null };

export type DiffPart = {
  source: DiffSource;
  /** Newest first; empty for the work tree and for tools. */
  commits: NamedCommit[];
  files: FileDiff[];
};

/** What a run, or some of it, changed. */
export type RunDiff = {
  run: string;
  /** Null for the whole run, and for a task. */
  iteration: number | null;
  /** The task whose iterations are meant. */
  task?: string;
  /** HEAD moved, but the objects between could not be read, so the tools' own reports stand in. */
  commits_unreadable: boolean;
  parts: DiffPart[];
};

/** What the journal says of a run, or of some of its iterations. */
export type DiffScope = {
  project: string;
  /** HEAD at the beginning; null for none. */
  base: string | null;
  /** HEAD at the end; null for none or unknown. */
  end: string | null;
  /** No end is recorded, so the work may go on. */
  isOpen: boolean;
  /** The run's last iteration is in it, so that uncommitted work may be its. */
  isLast: boolean;
  /** Newest first. */
  commits: string[];
  /** The calls of tools, and their failures. */
  tools: RalphEvent[];
  /** Whether an iteration changed a file, as far as it was observed. */
  keep(path: string, iteration: number): boolean;
};

/**
 * What the journal says of a run's changes, in one pass.
 * @param range null for the whole run
 * @returns null if the run has no such iteration
 */
export function diffScope(events: Iterable<RalphEvent>, range: IterationRange | null): DiffScope | null {
  let project = "";
  let first: EventOf<"iteration_started"> | null = null;
  let last: EventOf<"iteration_finished"> | null = null;
  let newest = 0;
  /** The moves of the target: of a landing, or of a swarm's. */
  const landed: EventOf<"landed">[] = [];
  /** HEAD when the next iteration began. */
  let after: string | null = null;
  const ends = new Map<number, ReturnType<typeof changedBy>>();
  const commits: string[] = [];
  const tools: RalphEvent[] = [];
  for (const event of events) {
    if (event.type === "run_started") project = event.project;
    if (event.type === "iteration_started") {
      if (range !== null && newest === range.last && event.number !== range.last) after ??= event.head;
      newest = event.number;
    }
    if (event.type === "landed") landed.push(event);
    if (range !== null && (event.iteration < range.first || event.iteration > range.last)) continue;
    if (event.type === "iteration_started") first ??= event;
    if (event.type === "agent_tool_started" || event.type === "agent_tool_finished") tools.push(event);
    if (event.type === "iteration_finished") {
      last = event;
      commits.unshift(...event.evidence.commits);
      ends.set(event.iteration, changedBy(event.evidence));
    }
  }
  if (first === null && range !== null) return null;
  const unobserved = changedBy(null);
  // Without an iteration only landings are its work: neither what HEAD has, nor what a person has not committed.
  if (first === null)
    return {
      ...{ project, tools, keep: unobserved, isOpen: false, isLast: false },
      ...{ base: landed[0]?.from ?? null, end: landed.at(-1)?.to ?? null },
      commits: landed.map(({ to }) => to).reverse(),
    };
  const wanted = range?.last ?? newest;
  return {
    project,
    base: first.head,
    end: last?.iteration === wanted ? last.evidence.head : after,
    isOpen: last?.iteration !== wanted && after === null,
    isLast: wanted === newest,
    commits: [...new Set(commits)],
    tools,
    keep: (path, at) => (ends.get(at) ?? unobserved)(path),
  };
}
