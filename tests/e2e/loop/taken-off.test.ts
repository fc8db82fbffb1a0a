/** Boxes that leave the plan without a tick: a plan that is complete without them does not end a run by itself. */
import { afterAll, describe, expect, test } from "bun:test";
import type { Step } from "../../agents/scripted.ts";
import { answer, done, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const PLAN = ".ralph/@fix_plan.md";
const given = (plan: string, steps: readonly Step[]): Project =>
  project({ files: { ".ralph/PROMPT.md": "Do the next task.\n", [PLAN]: plan }, steps });
const writes = (plan: string): Step => ({ files: { [PLAN]: plan }, stdout: answer() });
const BEGIN = "# Plan\n- [x] one\n- [ ] two\n- [ ] three\n";

describe.concurrent("a plan is not complete", () => {
  test.each([
    ["where a task is only marked as begun", "# Plan\n- [x] one\n- [x] two\n- [~] three\n"],
    ["where a task is gone", "# Plan\n- [x] one\n- [x] two\n"],
    ["where a task is in a comment", "# Plan\n- [x] one\n- [x] two\n<!--\n- [ ] three\n-->\n"],
    ["where a task is optional now", "# Plan\n- [x] one\n- [x] two\n## Optional\n- [ ] three\n"],
  ])("%s: the agent is asked about it, and its tick ends the run", async (_, plan) => {
    const at = given(BEGIN, [writes(plan), writes("# Plan\n- [x] one\n- [x] two\n- [x] three\n")]);
    const { exit } = await at.ralph();
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([0, "plan_complete", 2]);
    expect(at.calls()[1]?.stdin).toContain("left it without a tick:\n- three\n");
    expect(at.event("note")?.text).toContain("Left the plan without a tick: “three”.");
    expect(at.event("run_finished")?.sentence).toBe("Every box of the plan is ticked.");
  });

  test("and a kill or a bound between two runs changes nothing about it", async () => {
    const at = given(BEGIN, [writes("# Plan\n- [x] one\n- [x] two\n- [~] three\n"), works(2), done]);
    expect((await at.ralph("--max-iterations", "1")).exit).toBe(4);
    await at.ralph("--max-iterations", "1");
    expect([at.calls().length, at.calls()[1]?.stdin]).toEqual([2, expect.stringContaining("- three\n")]);
  });

  test("but the agent's claims end the run, and its last sentence names the task", async () => {
    const at = given(BEGIN, [writes("# Plan\n- [x] one\n- [x] two\n"), done, done]);
    const { exit } = await at.ralph();
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([0, "project_complete", 3]);
    expect(at.event("run_finished")?.sentence).toEndWith(" Left the plan without a tick: “three”.");
  });
});

describe.concurrent("a plan is complete", () => {
  test.each([
    ["where a task got other words with its tick", "# Plan\n- [x] one\n- [x] two\n- [x] three (see a1b2c3d)\n"],
    [
      "where a task became several",
      "# Plan\n- [x] one\n- [x] two\n- [x] three, first half\n- [x] three, second half\n",
    ],
    ["where all stands elsewhere", "## Done\n- [x] three\n- [x] two\n* [x] one\n"],
  ])("%s", async (_, plan) => {
    const at = given(BEGIN, [writes(plan)]);
    const { exit } = await at.ralph();
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([0, "plan_complete", 1]);
  });

  test("where a person took the task off between two runs", async () => {
    const at = given(BEGIN, [writes("# Plan\n- [x] one\n- [x] two\n- [ ] three\n")]);
    await at.ralph("--max-iterations", "1");
    at.write(PLAN, "# Plan\n- [x] one\n- [x] two\n");
    const { exit } = await at.ralph();
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([0, "plan_complete", 1]);
  });
});
