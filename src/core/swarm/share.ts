/** What each worker of a swarm may use of the bounds that all share. */
import { BOUND_PARTS, PARTED_BOUNDS, type PartedBound } from "../fleet/bound-parts.ts";
import { isTakeable, type TaskClaim } from "../fleet/claim.ts";
import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import { headroomOf } from "../stop/stop-rule.ts";
import type { WorkTask } from "../tasks/task-graph.ts";

/** A worker's part of each bound that is set, in iterations, USD and tokens. */
export type Share = { readonly [bound in PartedBound]?: number };

/** Whether a worker that ends so has used up its part, or the time, which says nothing of its task. */
export function isSharedBound(reason: StopReason): boolean {
  return reason === "max_time" || Object.hasOwn(BOUND_PARTS, reason);
}

/**
 * What one more worker may use: its part of what neither was used nor is promised to those at work, so all of them
 * together keep to the bound.
 * @param state the swarm's, with what workers that ended have spent
 * @param given the parts of those at work
 * @param takers how many could begin now, with this one
 * @returns null if those at work may use all that is left
 */
export function shareOf(state: State, settings: Settings, given: readonly Share[], takers: number): Share | null {
  const share: { [bound in PartedBound]?: number } = {};
  for (const bound of PARTED_BOUNDS) {
    const { used, limit } = headroomOf(bound, state, settings, 0);
    if (limit === 0) continue;
    const { least } = BOUND_PARTS[bound];
    const left = given.reduce((rest, one) => rest - (one[bound] ?? 0), limit - used);
    if (left < least && given.length > 0) return null;
    share[bound] = Math.max(least, Math.floor(left / takers / least) * least);
  }
  return share;
}

/** How many of the free workers could begin now. @param now epoch ms */
export function takersOf(
  free: number,
  tasks: readonly WorkTask[],
  claims: ReadonlyMap<string, TaskClaim>,
  now: number,
): number {
  const open = tasks.filter(({ id, done, held }) => {
    return !done && held === undefined && isTakeable(claims.get(id) ?? null, now);
  });
  // One that goes on with what it had before a crash has it already.
  return Math.max(1, Math.min(free, open.length));
}

/** The part that a worker of an earlier swarm was given: its run is bounded by it. @param worker the state of that run */
export function shareIn(worker: State): Share {
  const parts = PARTED_BOUNDS.map((bound) => [bound, headroomOf(bound, worker, worker.settings, 0).limit] as const);
  return Object.fromEntries(parts.filter(([, limit]) => limit > 0));
}

type Worker = {
  share: Share;
  settings: Pick<Settings, "MAX_CALLS_PER_HOUR">;
  /** Of the swarm: each counts its calls of the hour itself, over all its tasks. */
  workers: number;
  /** What is left of the swarm's time, which goes by for all of them alike; Infinity for no bound. */
  timeLeftMs: number;
};

/** The flags of `ralph run` for a worker. */
export function flagsOf({ share, settings, workers, timeLeftMs }: Worker): string[] {
  const calls = Math.max(1, Math.floor(settings.MAX_CALLS_PER_HOUR / workers));
  const parts = PARTED_BOUNDS.flatMap((bound) => {
    const part = share[bound];
    const { flag, text } = BOUND_PARTS[bound];
    return part === undefined ? [] : [`${flag}=${text(part)}`];
  });
  // Not less: it would end before the swarm, as if it could have gone on.
  const seconds = Math.max(1, Math.ceil(timeLeftMs / 1000));
  return [`--calls=${calls}`, ...parts, ...(timeLeftMs === Number.POSITIVE_INFINITY ? [] : [`--max-time=${seconds}s`])];
}
