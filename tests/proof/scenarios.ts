import { PERSONAS, type PersonaName } from "../../scripts/proof/persona.ts";
import { settingsOf, USUAL } from "../../scripts/proof/policies.ts";
import type { TrialSpec } from "../../scripts/proof/trial.ts";

export type Scenario = { persona: PersonaName; project: "plan" | "task"; spec: TrialSpec };

const SHAPE = { tasks: 6, gap: 0 };

/**
 * Each persona in a project with a plan, whose tests grow with the work, and with a task in words alone, whose tests were there
 * before.
 */
export const SCENARIOS: readonly Scenario[] = (Object.keys(PERSONAS) as PersonaName[]).flatMap((name) => {
  const common = {
    persona: PERSONAS[name],
    shape: SHAPE,
    settings: settingsOf(USUAL),
  };
  return [
    { persona: name, project: "plan", spec: { ...common, gate: "finds faults", hasPlan: true } },
    { persona: name, project: "task", spec: { ...common, gate: "accepts", hasPlan: false } },
  ] satisfies Scenario[];
});
