/** SIGKILL for a live ralph, at each line of its journal and at odd moments in between. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RalphEvent } from "../../src/core/journal/event.ts";
import { answer, SPENDING, works } from "../e2e/support/answers.ts";
import { cleanUp, copyOf, lives, type Project, project, wholeLines } from "../e2e/support/harness.ts";
import { until } from "../e2e/support/until.ts";
import { seed } from "../seed.ts";
import { chances, INSTANTS, inLanes } from "./inject.ts";
import {
  aMinuteLater,
  expectEveryCallCounted,
  expectSound,
  expectWholeFiles,
  finalState,
  planProject,
} from "./plan-run.ts";

afterAll(cleanUp);

const MINUTES = 60_000;

describe.skipIf(process.platform === "win32")("a killed ralph goes on where it was", () => {
  let undisturbed: Record<string, unknown> = {};
  let made: Project;
  let journal: RalphEvent[] = [];
  let wholeMs = 0;
  beforeAll(async () => {
    made = planProject();
    const at = copyOf(made);
    const start = performance.now();
    expect((await at.ralph()).exit).toBe(0);
    wholeMs = performance.now() - start;
    [undisturbed, journal] = [finalState(at), at.events()];
    expectSound(at);
  });

  test("after a kill at any line of its journal", async () => {
    let cut = 0;
    await inLanes(range(journal.length), async (line) => {
      const at = copyOf(made);
      const live = at.start();
      let ended = false;
      void live.ended.then(() => {
        ended = true;
      });
      const written = () => wholeLines(at.path(`.ralph/runs/${at.runs()[0]}/events.jsonl`)).length;
      await until(`line ${line}`, () => ended || written() >= line);
      live.kill("SIGKILL");
      await live.ended;
      if (at.event("run_finished") === undefined) cut += 1;
      await goesOn(at, undisturbed);
    });
    // The kill comes from outside and may be a line late, but must not always come after the end.
    expect(cut).toBeGreaterThan(journal.length / 2);
  });

  test(
    `after a kill at any of ${INSTANTS} random instants (seed ${seed})`,
    async () => {
      const chance = chances();
      const moments = Array.from({ length: INSTANTS }, () => chance() * wholeMs);
      await inLanes(moments, async (ms) => {
        const at = copyOf(made);
        const live = at.start();
        await Bun.sleep(ms);
        live.kill("SIGKILL");
        await live.ended;
        await goesOn(at, undisturbed);
      });
    },
    30 * MINUTES,
  );

  test("within its bounds after repeated kills", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const argv = ["run", "-c", "3"];
    for (const calls of [1, 2, 3]) {
      const live = at.start(...argv);
      await until(`call ${calls}`, () => at.calls().length === calls && at.event("agent_started") !== undefined);
      live.kill("SIGKILL");
      await live.ended;
    }
    const live = at.start(...argv);
    await until("the wait", () => at.status().status === "paused");
    expect(at.calls().length).toBe(3);
    expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false, false, false]);
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(143);
    expect(at.status()).toMatchObject({ calls_made_this_hour: 3 });
  });

  test("and what a call had cost when it was killed counts for the day", async () => {
    const [paid = ""] = answer({ cost: 5 }).split("\n").slice(-2);
    const at = project({ steps: [{ first_stdout: `${paid}\n`, hangs: true, ignores_term: true }, works(1)] });
    const live = at.start();
    await until("a cost", () => at.event("agent_usage") !== undefined);
    live.kill("SIGKILL");
    await live.ended;
    const { exit } = await at.startUnder(["env", "MAX_COST_PER_DAY=4"]).ended;
    expect(exit).toBe(4);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_cost_per_day" });
    expect(at.calls()).toHaveLength(1);
  });

  test("and what its call had used by then counts, though the agent tells that only at a call's end", async () => {
    const at = await killedWhileItSpends();
    expect(at.event("agent_usage")).toBeUndefined();
    const { exit } = await at.ralph();
    expect([exit, at.event("run_finished")?.stop_reason, at.calls().length]).toEqual([4, "max_tokens", 1]);
    expect(at.events(1).filter(({ type }) => type === "agent_usage")).toMatchObject([
      { call: 1, input_tokens: 2000, output_tokens: 50, model: "claude-opus-4-8" },
    ]);
    expect(at.event("agent_usage", 1)?.estimated_usd).toBeGreaterThan(0);
  });

  test("whatever is the first command after the kill", async () => {
    const at = await killedWhileItSpends();
    expect((await at.ralph("circuit", "reset")).exit).toBe(0);
    expect(at.event("agent_usage")).toMatchObject({ input_tokens: 2000 });
    for (const screen of ["runs", "ps", "status", "report", "stats"])
      expect({ screen, shown: (await at.ralph(screen)).stdout }).toMatchObject({
        shown: expect.stringContaining("≈$0.0112"),
      });
    const { exit } = await at.ralph();
    expect([exit, at.event("run_finished")?.stop_reason, at.calls().length]).toEqual([4, "max_tokens", 1]);
  });
});

/** A project whose run was killed in a call that had used 2,050 tokens of its 1,000, and told so in no event. */
async function killedWhileItSpends(): Promise<Project> {
  const at = project({ steps: [{ first_stdout: SPENDING, hangs: true }, works(1)], env: { MAX_TOKENS: "1000" } });
  const live = at.start();
  await until("its first words", () => at.event("agent_text") !== undefined);
  live.kill("SIGKILL");
  await live.ended;
  return at;
}

async function goesOn(at: ReturnType<typeof planProject>, undisturbed: Record<string, unknown>): Promise<void> {
  expectWholeFiles(at);
  aMinuteLater(at);
  const { exit, stderr } = await at.ralph();
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(finalState(at)).toEqual(undisturbed);
  expectSound(at);
  expectEveryCallCounted(at);
}

function range(end: number): number[] {
  return Array.from({ length: end }, (_, n) => n + 1);
}
