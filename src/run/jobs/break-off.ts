import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { planIfReadable } from "../plan-if-readable.ts";
import type { Run } from "../run.ts";

/** Closes an iteration that does not come to its end. What it ticked until then is in the plan. */
export function breakOff({ append, world, settings }: Run, number: number, why: string): void {
  const plan = parseProjectPlan(planIfReadable(world.project.plan), settings)?.counts ?? null;
  append({ type: "iteration_interrupted", number, why, plan });
}
