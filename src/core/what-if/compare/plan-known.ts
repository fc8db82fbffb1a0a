import type { EventOf } from "../../journal/event.ts";
import type { ParsedPlan } from "../../plan/fix-plan.ts";

/** The plan at the start of an iteration, as far as the record knows it: its counts, and the task at hand. */
export function planKnown({ plan, task }: Pick<EventOf<"iteration_started">, "plan" | "task">): ParsedPlan | null {
  if (plan === null) return null;
  const known = { line: 1, text: task ?? "?", section: null, optional: plan.blocking_unchecked === 0 };
  return { counts: plan, tasks: plan.unchecked > 0 ? [known] : [], boxes: [] };
}
