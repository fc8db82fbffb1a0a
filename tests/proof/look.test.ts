import { expect, test } from "bun:test";
import { figuresOf } from "../../scripts/proof/figures.ts";
import { trials } from "../../scripts/proof/trials.ts";
import { SCENARIOS } from "./scenarios.ts";

/** 200 runs of an agent that ticks tasks without doing them, where tests miss what nobody began. */
async function sprints(looks: number) {
  const scenario = SCENARIOS.find(({ persona, project }) => persona === "sprinter" && project === "plan");
  if (scenario === undefined) throw new Error("no sprinter");
  const { spec } = scenario;
  return figuresOf(await trials({ ...spec, settings: { ...spec.settings, REVIEW_ON_DONE: looks } }, 200));
}

test("what gates cannot see, looks by a stranger find: one of them most of it, two more, and no run is stopped for it", async () => {
  const [none, one, two] = [await sprints(0), await sprints(1), await sprints(2)];
  expect(none.falseDone.count).toBeGreaterThan(100);
  expect(one.falseDone.count).toBeLessThan(none.falseDone.count / 2);
  expect(two.falseDone.count).toBeLessThan(one.falseDone.count / 1.5);
  expect(one.falseStop.count + two.falseStop.count).toBe(0);
});
