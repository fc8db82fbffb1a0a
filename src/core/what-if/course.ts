import type { Course } from "./what-if-types.ts";

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
