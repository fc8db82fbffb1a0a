import type { EventOf } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import type { Course } from "./what-if-types.ts";

/** What iterations brought, which the state does not count. */
export type Tally = Pick<Course, "changing" | "commits" | "boxes_ticked">;

/** The tally before the first iteration. */
export const noTally: Tally = { changing: 0, commits: 0, boxes_ticked: 0 };

/** The tally after one more iteration. */
export function tallyWith(tally: Tally, { evidence }: Pick<EventOf<"iteration_finished">, "evidence">): Tally {
  return {
    changing: tally.changing + (evidence.progress ? 1 : 0),
    commits: tally.commits + evidence.commits.length,
    boxes_ticked: tally.boxes_ticked + Math.max(0, evidence.plan_delta),
  };
}

/** What a run did up to a state, at a time. */
export function courseOf({ iterations, calls, usage, started_at }: State, tally: Tally, until: string): Course {
  return {
    iterations,
    calls,
    cost_usd: usage.cost_usd,
    estimated_usd: usage.estimated_usd ?? null,
    tokens: totalTokens(usage),
    ms: Math.max(0, Date.parse(until) - Date.parse(started_at)),
    ...tally,
  };
}

/** What a run did between two points. */
export function after(point: Course, end: Course): Course {
  const less = (a: number | null, b: number | null) => (a === null ? null : Math.round((a - (b ?? 0)) * 1e8) / 1e8);
  return {
    iterations: end.iterations - point.iterations,
    calls: end.calls - point.calls,
    cost_usd: less(end.cost_usd, point.cost_usd),
    estimated_usd: less(end.estimated_usd, point.estimated_usd),
    tokens: end.tokens - point.tokens,
    ms: Math.max(0, end.ms - point.ms),
    changing: end.changing - point.changing,
    commits: end.commits - point.commits,
    boxes_ticked: end.boxes_ticked - point.boxes_ticked,
  };
}
