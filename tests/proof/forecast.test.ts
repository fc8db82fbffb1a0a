import { describe, expect, test } from "bun:test";
import { createAgent } from "../../scripts/proof/agent.ts";
import { PERSONAS, type PersonaName } from "../../scripts/proof/persona.ts";
import { newProject } from "../../scripts/proof/project.ts";
import { simulatedWorld } from "../../scripts/proof/world.ts";
import { loop } from "../../src/run/jobs/loop.ts";

/** Enough for a share to be known within 3 %; long runs take longer. */
const RUNS = { 12: 400, 40: 200 };

/** Whether a run's cost lay in the range that its first forecast named; null for a run that did not end as done. */
async function isInside(seed: string, name: PersonaName, tasks: number): Promise<boolean | null> {
  const project = newProject(seed, { tasks, gap: 0 });
  const { run, journal } = simulatedWorld({
    project,
    agent: createAgent(project, PERSONAS[name]),
    gateFlakes: PERSONAS[name].gateFlakes,
    gate: "finds faults",
    hasPlan: true,
    settings: { DONE_POLICY: "evidence", TEST_COMMAND: "npm test", MAX_ITERATIONS: 300, CB_NO_PROGRESS_THRESHOLD: 0 },
  });
  const end = await run(loop);
  const forecast = journal.find((event) => event.type === "forecast_made");
  if (end.exit_code !== 0 || forecast?.type !== "forecast_made" || forecast.usd === null) return null;
  const cost = end.cost_usd ?? 0;
  return cost >= forecast.usd.low && cost <= forecast.usd.p90;
}

describe("the 80 % range of the first forecast holds for 70 to 90 % of simulated runs", () => {
  for (const tasks of [12, 40] as const)
    for (const name of ["strong", "weak", "asker", "grower", "sprinter", "flaky"] as const) {
      // Four tasks in one call: with 12 of them there are too few ticks to forecast from.
      if (name === "sprinter" && tasks === 12) continue;
      test(`${name}, ${tasks} tasks`, async () => {
        let inside = 0;
        let runs = 0;
        for (let seed = 1; seed <= RUNS[tasks]; seed += 1) {
          const held = await isInside(`f${seed}`, name, tasks);
          if (held === null) continue;
          runs += 1;
          inside += held ? 1 : 0;
        }
        expect(runs).toBeGreaterThan(RUNS[tasks] / 2);
        expect(inside / runs).toBeGreaterThanOrEqual(0.7);
        expect(inside / runs).toBeLessThanOrEqual(0.9);
      });
    }
});
