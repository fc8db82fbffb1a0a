import { RalphError } from "../core/errors.ts";
import { type ParsedPlan, parseProjectPlan } from "../core/plan/fix-plan.ts";
import type { Settings } from "../core/settings/settings.ts";

/** A plan for what goes on without it, such as the end of a run or a screen; null also for one that cannot be read. */
export function readablePlan(
  read: () => string | null,
  settings: Pick<Settings, "OPTIONAL_SECTIONS">,
): ParsedPlan | null {
  try {
    return parseProjectPlan(read(), settings);
  } catch (error) {
    if (error instanceof RalphError) return null;
    throw error;
  }
}
