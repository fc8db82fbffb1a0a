import type { EventOf } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { planComplete } from "../plan/fix-plan.ts";
import type { Settings } from "../settings/settings.ts";
import { quietAfter } from "../stop/headway.ts";
import { gatesPending } from "./completion.ts";
import { couldEnd, gatesDecide, gatesDue } from "./gate-rules.ts";
import { couldProve } from "./proven.ts";

/** Whether the gates run before the next step: a plan is complete, as it may be at the start, and they have not run yet. */
export function gatesFirst({ plan, gates, last, open, stop_requested }: State, settings: Settings): boolean {
  const unknown = gatesPending(gates, settings) || gates.some(({ unrun }) => unrun);
  const pending = open === null && planComplete(plan) && unknown;
  return pending && last?.outcome !== "failed" && stop_requested === null;
}

/**
 * Whether the gates run after an iteration, and whether they could then decide alone about "done" (product.md "Gates").
 * @param before the state at its end, before any gate ran
 */
export function gatesAfter(
  before: State,
  { outcome, analysis, evidence }: Pick<EventOf<"iteration_finished">, "outcome" | "analysis" | "evidence">,
  settings: Settings,
): { due: boolean; decide: boolean } {
  const { plan, progress } = evidence;
  const context = {
    analysis,
    plan,
    signals: before.signals,
    couldProve: !progress && couldProve(before, settings),
    quiet: quietAfter(before.headway, { analysis, evidence }),
  };
  const mayEnd = couldEnd(settings, context);
  const gapsDue = mayEnd && before.looks.gaps.length > 0;
  return {
    due: outcome !== "failed" && (gapsDue || gatesDue(settings, mayEnd)),
    decide: mayEnd && gatesDecide(settings, context),
  };
}
