import type { Projections } from "../../effects/state-files/projections.ts";
import type { EventStep } from "../../run/recorder.ts";

/** Brings the files that other programs read in step with what was just recorded. */
export function updateProjections(projections: Projections, steps: readonly EventStep[]): void {
  const last = steps.at(-1);
  if (last !== undefined)
    projections.update(
      last.state,
      steps.map((step) => step.event),
    );
}
