import { describe, expect, test } from "bun:test";
import { createAgent } from "../../scripts/proof/agent.ts";
import { chance } from "../../scripts/proof/chance.ts";
import { newProject } from "../../scripts/proof/project.ts";
import { simulatedWorld } from "../../scripts/proof/world.ts";
import type { RalphEvent } from "../../src/core/journal/event.ts";
import type { Settings } from "../../src/core/settings/settings.ts";
import { withChanges } from "../../src/core/what-if/changed-settings.ts";
import { whatIf } from "../../src/core/what-if/what-if.ts";
import { loop } from "../../src/run/jobs/loop.ts";
import { settingsOf } from "../core/given.ts";
import { expectItself, expectTrue } from "../core/what-if/hold-against.ts";
import { seed } from "../seed.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

const RUNS = 5;

/** The journal of a simulated run: the same seed and settings give the same one. */
async function journalOf(name: string, { spec }: Scenario, settings: Partial<Settings>): Promise<RalphEvent[]> {
  const project = newProject(name, spec.shape);
  const { run, journal } = simulatedWorld({
    project,
    agent: createAgent(project, spec.persona),
    gateFlakes: spec.persona.gateFlakes,
    gate: spec.gate,
    hasPlan: spec.hasPlan,
    settings,
  });
  await run(loop);
  return journal;
}

/** Settings that a run may have, and those that are asked about: each choice is rare enough for the others to matter. */
const CHOICES: readonly Partial<Settings>[] = [
  { MAX_ITERATIONS: 3 },
  { MAX_ITERATIONS: 7 },
  { MAX_COST_USD: 0.5 },
  { MAX_COST_USD: 1.5 },
  { MAX_COST_PER_TASK: 0.3 },
  { MAX_TOKENS: 400_000 },
  { MAX_TIME: 9 },
  { MAX_CALLS_PER_HOUR: 4 },
  { CB_NO_PROGRESS_THRESHOLD: 2 },
  { CB_SAME_ERROR_THRESHOLD: 2 },
  { SAME_DENIAL_THRESHOLD: 2 },
  { NO_HEADWAY_THRESHOLD: 3 },
  { DONE_POLICY: "signals" },
  { DONE_POLICY: "evidence" },
  { PROVEN_COMPLETE: false },
  { QUALITY_GATE_MODE: "circuit-breaker" },
  { QUALITY_GATE_MODE: "block" },
  { QUALITY_GATE_ON_COMPLETION_ONLY: true },
  { PERMISSION_DENIAL_MODE: "threshold" },
  { PERMISSION_DENIAL_MODE: "halt" },
  { MAX_CONSECUTIVE_DONE_SIGNALS: 4 },
  { SESSION_RENEW: 2 },
  { SESSION_CONTINUITY: false },
  { REVIEW_ON_DONE: 1 },
  { REVIEW_MODE: "enhanced", REVIEW_INTERVAL: 2 },
  { ON_QUESTION: "park" },
  { CLAUDE_MODEL: "another" },
  { RALPH_VERBOSE: true },
];

function chosen(name: string, what: string): Partial<Settings> {
  const pick = (nth: number) => CHOICES[Math.floor(chance(name, what, nth) * CHOICES.length)] ?? {};
  return { ...pick(1), ...(chance(name, what, 0) < 0.5 ? pick(2) : {}) };
}

describe(`a simulated run, asked what if (seed ${seed})`, () => {
  const results: Record<string, number> = {};

  for (const scenario of SCENARIOS)
    test(`${scenario.persona}, ${scenario.project}: with its own settings it is itself, with others what really happens`, async () => {
      for (let number = 1; number <= RUNS; number += 1) {
        const name = `${seed}-${number}`;
        const own = { ...scenario.spec.settings, MAX_ITERATIONS: 40, ...chosen(name, "own") };
        const changes = Array.from({ length: 6 }, (_, index) => chosen(name, `change ${index}`));
        const recorded = await journalOf(name, scenario, own);
        const report = whatIf(recorded, [{}, ...changes]);
        if (report === null) throw new Error("a simulated run has a beginning");
        expectItself(report, recorded);
        for (const [index, answer] of report.what_if.slice(1).entries()) {
          results[answer.result] = (results[answer.result] ?? 0) + 1;
          const { settings } = withChanges(settingsOf(own), changes[index] ?? {});
          expectTrue(answer, recorded, await journalOf(name, scenario, settings));
        }
      }
    });

  test("every kind of answer came, and none that this version decides otherwise", () => {
    expect(Object.keys(results).sort()).toEqual(["diverges", "ends", "goes_on", "same"]);
  });
});
