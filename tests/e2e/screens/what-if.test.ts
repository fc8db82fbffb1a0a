/** `ralph replay --what-if` and `ralph stats` ask kept runs about other settings. */
import { afterAll, expect, test } from "bun:test";
import { answer, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const idle = { stdout: answer({ cost: 0.25 }) };

test("a run that idled says where a lower threshold would have ended it, and a real run with that ends there", async () => {
  const at = project({ steps: [works(1, { cost: 0.5 }), idle, idle, idle] });
  await at.ralph("run", "--max-iterations", "9");
  expect(at.event("run_finished")?.stop_reason).toBe("stagnation_detected");
  const asked = await at.ralph("replay", "--what-if", "CB_NO_PROGRESS_THRESHOLD=2", "--json");
  expect(asked.exit).toBe(0);
  const { what_if, recorded } = JSON.parse(asked.stdout);
  expect(recorded).toMatchObject({ iterations: 4, cost_usd: 1.25 });
  expect(what_if).toMatchObject({
    result: "ends",
    end: { stop_reason: "stagnation_detected" },
    course: { iterations: 3, calls: 3, cost_usd: 1 },
  });

  const text = (await at.ralph("replay", "--what-if", "MAX_ITERATIONS=2", "--what-if", "MAX_COST_USD=9")).stdout;
  expect(text).toContain("Run 0001 with MAX_ITERATIONS=2 (was 9), MAX_COST_USD=9 (was none)\n");
  expect(text).toContain("max_iterations: All 2 allowed iterations are used up.\n");

  const stats = await at.ralph("stats");
  expect(stats.stdout).toContain("Got done    0 of 1\n");
  expect(stats.stdout).toMatch(/ \$0\.25 {2}CB_NO_PROGRESS_THRESHOLD=2 +cuts none; 1 iteration of 1 run\n/);
  const { savings } = JSON.parse((await at.ralph("stats", "--json")).stdout);
  expect(savings[0]).toMatchObject({ settings: { CB_NO_PROGRESS_THRESHOLD: 2 }, runs: 1, saved_usd: 0.25 });

  const again = project({ steps: [works(1, { cost: 0.5 }), idle, idle, idle], env: { CB_NO_PROGRESS_THRESHOLD: "2" } });
  await again.ralph("run", "--max-iterations", "9");
  const { stop_reason, exit_code, sentence, iterations, calls, cost_usd } = again.event("run_finished") ?? {};
  expect(what_if.end).toEqual({ stop_reason, exit_code, sentence });
  expect(what_if.course).toMatchObject({ iterations, calls, cost_usd });
});

test("bad questions are refused, with what to write instead", async () => {
  const at = project({ steps: [idle] });
  await at.ralph("run", "--max-iterations", "1");
  const word = await at.ralph("replay", "--what-if", "MAX_ITERATION=3");
  expect([word.exit, word.stderr]).toEqual([2, expect.stringContaining("Did you mean MAX_ITERATIONS?")]);
  const both = await at.ralph("replay", "--what-if", "MAX_ITERATIONS=3", "--step");
  expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining("exclude each other")]);
  expect((await at.ralph("replay", "--json")).exit).toBe(2);
});

test("without a run of the loop there is nothing to ask and nothing to count", async () => {
  const at = project({ steps: [] });
  expect((await at.ralph("stats")).stdout).toContain("There is no finished run here yet.");
  await at.ralph("session", "reset");
  const asked = await at.ralph("replay", "--what-if", "MAX_ITERATIONS=3");
  expect(asked.exit).not.toBe(0);
  expect(asked.stderr).toContain("is no run of the loop but of ralph reset.");
});

test("while the first run is live nobody is told to start one", async () => {
  const at = project({ steps: [{ ...idle, waits_for: ".ralph/go" }] });
  const live = at.start("run", "--max-iterations", "1");
  await until("a call", () => at.calls().length === 1);
  const { stdout } = await at.ralph("stats");
  expect(stdout).toContain("There is no finished run here yet.\nThe live one counts when it has ended.");
  expect(stdout).not.toContain("Start one");
  at.write(".ralph/go", "");
  await live.ended;
  expect((await at.ralph("stats")).stdout).toContain("0 of 1");
});
