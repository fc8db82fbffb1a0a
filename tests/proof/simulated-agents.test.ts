import { describe, expect, test } from "bun:test";
import { figuresOf } from "../../scripts/proof/figures.ts";
import { PERSONAS, type Persona } from "../../scripts/proof/persona.ts";
import type { Trial } from "../../scripts/proof/trial.ts";
import { trials } from "../../scripts/proof/trials.ts";
import { SCENARIOS } from "./scenarios.ts";

const RUNS = 200;
const plan = SCENARIOS.find(({ project }) => project === "plan");

/** How a scenario must end in 200 runs with the seeds 1 to 200. */
async function figures(persona: string, project: "plan" | "task") {
  const scenario = SCENARIOS.find((one) => one.persona === persona && one.project === project);
  if (scenario === undefined) throw new Error(`no scenario ${persona} ${project}`);
  return figuresOf(await trials(scenario.spec, RUNS));
}

describe("before any figure counts", () => {
  const flawless: Persona = {
    ...PERSONAS.strong,
    wrong: 0,
    idle: 0,
    earlyClaim: 0,
    regresses: 0,
    asks: 0,
    crashes: 0,
  };

  test("an agent that is always right ends as done, for what a loop pays that sees the truth", async () => {
    if (plan === undefined) throw new Error("no scenario with a plan");
    const found = figuresOf(await trials({ ...plan.spec, persona: flawless }, 20));
    expect(found).toMatchObject({ saidDone: 20, trulyDone: 20, calls: 6 });
  });

  test("an agent that is never right never ends as done", async () => {
    if (plan === undefined) throw new Error("no scenario with a plan");
    const hopeless: Persona = { ...flawless, wrong: 1, fixesTold: 0, fixesUntold: 0 };
    expect(figuresOf(await trials({ ...plan.spec, persona: hopeless }, 20)).saidDone).toBe(0);
  });
});

describe("no false done in 200 runs", () => {
  for (const project of ["plan", "task"] as const)
    for (const persona of ["strong", "weak", "liar", "timid", "idler", "flaky", "cheat"])
      test(`${persona}, ${project}`, async () => {
        expect((await figures(persona, project)).falseDone.count).toBe(0);
      });
});

describe("no run that was on its way is stopped", () => {
  test("more than once in a hundred, over all agents", async () => {
    const ends: Trial[] = [];
    for (const { spec } of SCENARIOS) ends.push(...(await trials(spec, RUNS / 2)));
    const { falseStop } = figuresOf(ends);
    expect(falseStop.of).toBe((SCENARIOS.length * RUNS) / 2);
    expect(falseStop.share).toBeLessThanOrEqual(0.01);
  });

  for (const persona of ["liar", "timid", "idler"])
    for (const project of ["plan", "task"] as const)
      test(`nor more than once in a hundred for ${persona}, ${project}`, async () => {
        expect((await figures(persona, project)).falseStop.share).toBeLessThanOrEqual(0.01);
      });
});

describe("a truly finished project costs at most 1.15 times what a loop pays that sees the truth", () => {
  // An agent that never says that it is done has to be asked: without a plan to tick that costs three more answers.
  const dearer = (persona: string, project: string) => persona === "timid" && project === "task";
  for (const persona of ["strong", "weak", "liar", "timid", "idler", "flaky", "asker", "grower"])
    for (const project of ["plan", "task"] as const)
      test(`${persona}, ${project}`, async () => {
        expect((await figures(persona, project)).ratioToOracle ?? 99).toBeLessThanOrEqual(
          dearer(persona, project) ? 1.6 : 1.15,
        );
      });
});

test.each(["plan", "task"] as const)(
  "an agent that is denied each time ends within ten iterations, %s",
  async (project) => {
    const scenario = SCENARIOS.find((one) => one.persona === "denied" && one.project === project);
    if (scenario === undefined) throw new Error("no denied agent");
    for (const { reason, iterations } of await trials(scenario.spec, RUNS)) {
      expect(reason).toBe("denied_repeatedly");
      expect(iterations).toBeLessThanOrEqual(10);
    }
  },
);

test("an idle agent is hardly ever taken to be done by tests that miss what nobody began", async () => {
  const scenario = SCENARIOS.find(({ persona, project }) => persona === "idler" && project === "task");
  if (scenario === undefined) throw new Error("no idle agent");
  const found = figuresOf(await trials({ ...scenario.spec, gate: "finds faults" }, RUNS));
  expect(found.falseDone.share).toBeLessThanOrEqual(0.02);
  expect(found.trulyDone).toBeGreaterThan(0.95 * RUNS);
});
