import { resolveSettings } from "../../src/core/settings/resolve-settings.ts";
import { PERSONAS, type PersonaName } from "./persona.ts";
import type { TrialSpec } from "./trial.ts";

export type Scenario = { persona: PersonaName; project: "plan" | "task"; spec: TrialSpec };

/** What `ralph setup` writes for a project whose tests it found. */
const SETUP = { path: ".ralph/.ralphrc", text: 'DONE_POLICY=evidence\nTEST_COMMAND="npm test"\n' };
const SHAPE = { tasks: 6, gap: 0 };

/**
 * Each persona in a project with a plan, whose tests grow with the work, and with a task in words alone, whose tests were there
 * before.
 */
export const SCENARIOS: readonly Scenario[] = (Object.keys(PERSONAS) as PersonaName[]).flatMap((name) => {
  const common = {
    persona: PERSONAS[name],
    shape: SHAPE,
    settings: resolveSettings({ flags: {}, env: {}, file: SETUP }).settings,
  };
  return [
    { persona: name, project: "plan", spec: { ...common, gate: "finds faults", hasPlan: true } },
    { persona: name, project: "task", spec: { ...common, gate: "accepts", hasPlan: false } },
  ] satisfies Scenario[];
});
