import type { Settings } from "../../src/core/settings/settings.ts";
import { PERSONAS, type PersonaName } from "./persona.ts";
import type { TrialSpec } from "./trial.ts";

export type Scenario = { persona: PersonaName; project: "plan" | "task"; spec: TrialSpec };

/** What `ralph setup` writes for a project whose tests it found. */
const SETUP: Partial<Settings> = { DONE_POLICY: "evidence", TEST_COMMAND: "npm test" };
const SHAPE = { tasks: 6, gap: 0 };

/**
 * Each persona in a project with a plan, whose tests grow with the work, and with a task in words alone, whose tests were there
 * before.
 */
export const SCENARIOS: readonly Scenario[] = (Object.keys(PERSONAS) as PersonaName[]).flatMap((name) => {
  const common = { persona: PERSONAS[name], shape: SHAPE, settings: SETUP };
  return [
    { persona: name, project: "plan", spec: { ...common, gate: "finds faults", hasPlan: true } },
    { persona: name, project: "task", spec: { ...common, gate: "accepts", hasPlan: false } },
  ] satisfies Scenario[];
});
