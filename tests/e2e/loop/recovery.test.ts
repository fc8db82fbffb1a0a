import { afterAll, describe, expect, test } from "bun:test";
import { answer, done, works } from "../support/answers.ts";
import { cleanUp, lives, type Project, project } from "../support/harness.ts";
import { killWithGuardian } from "../support/kill.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const stuck = { hangs: true };

/** A ralph that was killed together with its guardian, while its agent worked. */
async function crashed(at: Project): Promise<void> {
  const live = at.start();
  await until("the agent is recorded", () => at.calls().length === 1 && at.event("agent_started") !== undefined);
  await killWithGuardian(live);
}

/** A ralph that was asked to stop at once while its agent worked. */
async function stoppedAtOnce(at: Project): Promise<void> {
  const live = at.start();
  await until("the agent is recorded", () => at.calls().length === 1 && at.event("agent_started") !== undefined);
  await at.ralph("stop", "--now");
  await live.ended;
}

describe.skipIf(process.platform === "win32")("two lives of ralph in one project", () => {
  test.concurrent("the second ralph says who holds the lock and exits 7", async () => {
    const at = project({ steps: [stuck] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const before = at.events().length;
    for (const argv of [["run"], ["circuit", "reset"], ["session", "reset"]]) {
      const { exit, stderr } = await at.ralph(...argv);
      expect(exit).toBe(7);
      expect(stderr).toContain(`pid ${live.pid}`);
      expect(stderr).toContain(at.runs()[0] ?? "no run");
      expect(stderr).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, on /);
    }
    expect({ runs: at.runs().length, events: at.events().length }).toEqual({ runs: 1, events: before });
    live.kill("SIGTERM");
    await live.ended;
  });

  test.concurrent("what a killed iteration ticked is counted before the next start and after it", async () => {
    const at = project({ steps: [{ ...stuck, files: { ".ralph/@fix_plan.md": "- [x] one\n- [ ] two\n" } }, works(1)] });
    await crashed(at);
    await until("a tick", () => at.read(".ralph/@fix_plan.md").includes("[x]"));
    const before = (await at.ralph("report")).stdout;
    expect(before).toContain("1 of 2 done");
    expect(before).toMatch(/1 ✗ .* Broke off: ralph ended before the iteration did\.\n[\s\S]*✓ 1 box\n {5}iteration 1/);
    await at.ralph("--max-iterations", "1");
    const after = (await at.ralph("report", "1")).stdout;
    const tasks = (report: string) => /\nIterations\n[\s\S]*\nTotal\n/.exec(report)?.[0];
    expect(tasks(after)).toBe(tasks(before));
    expect(after).toContain("1 of 2 done");
  });

  test.concurrent.each([
    ["killed", crashed],
    ["stopped at once", stoppedAtOnce],
  ])("a call that was %s is told to the next one, and to none after it", async (_, end) => {
    const at = project({ steps: [stuck, works(1), works(2), works(3)] });
    await end(at);
    const said = "The call before this one was ended in the middle of its work";
    expect((await at.ralph("prompt")).stdout).toContain(said);
    await at.ralph("--max-iterations", "2");
    await at.ralph("--max-iterations", "1");
    expect(at.calls().map(({ stdin }) => stdin.includes(said))).toEqual([false, true, false, false]);
  });

  test.concurrent("other work is not told of a call that was cut off", async () => {
    const at = project({ steps: [stuck, works(1)] });
    await stoppedAtOnce(at);
    await at.ralph("Something else", "--max-iterations", "1");
    expect(at.calls().at(-1)?.stdin).toContain("Something else");
    expect(at.calls().at(-1)?.stdin).not.toContain("ended in the middle");
  });

  test.concurrent("a stop sent while the next start still ends the orphan is heard", async () => {
    const at = project({ steps: [{ ...stuck, ignores_term: true }, stuck] });
    await crashed(at);
    const live = at.start();
    await until("the start", () => at.has(".ralph/lock") && at.read(".ralph/lock").includes(`"pid":${live.pid},`));
    expect(at.runs()).toHaveLength(1);
    expect(await at.ralph("stop", "--now")).toMatchObject({ exit: 0, stderr: "" });
    expect((await live.ended).exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user" });
    expect(at.calls().map(({ pid }) => lives(pid))).not.toContain(true);
  });

  test.concurrent.each([["circuit"], ["session"]])(
    "a %s reset after a kill gives the bounds back to nobody",
    async (what) => {
      const [paid] = answer({ cost: 5 }).split("\n").slice(-2);
      // The agent itself kills its ralph, which gives one that has told its cost two seconds to end.
      const shell = `until grep -q '"agent_usage"' .ralph/runs/*/events.jsonl; do :; done; kill -9 $(grep -o '"pid":[0-9]*' .ralph/lock | cut -d: -f2)`;
      const at = project({ steps: [{ ...stuck, first_stdout: `${paid}\n`, shell }, works(1)] });
      const argv = ["run", "--max-cost", "4"];
      await at.start(...argv).ended;
      expect(at.event("agent_usage")).toMatchObject({ cost_usd: 5 });
      expect((await at.ralph(what, "reset")).exit).toBe(0);
      expect(at.event("run_finished")).toBeUndefined();
      expect((await at.ralph(...argv)).exit).toBe(4);
      expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_cost" });
      expect(at.calls()).toHaveLength(1);
    },
  );

  test.concurrent("after a crash the next start ends the orphan, closes the journal and goes on", async () => {
    const at = project({
      steps: [{ ...stuck, child: "daemon" }, works(1), done, done],
    });
    await crashed(at);
    const [orphan] = at.calls();
    expect([orphan?.pid ?? 0, orphan?.child ?? 0].map(lives)).toEqual([true, true]);
    const { stdout } = await at.ralph("status", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ status: "unknown", iteration: 1 });

    const { exit } = await at.ralph();
    expect(exit).toBe(0);
    expect([orphan?.pid ?? 0, orphan?.child ?? 0].map(lives)).toEqual([false, false]);
    const lastOf = at.events(1).at(-3);
    expect(at.events(1).slice(-2)).toMatchObject([
      { type: "agent_finished", outcome: "stopped", at: lastOf?.at },
      { type: "iteration_interrupted", number: 1, at: lastOf?.at },
    ]);
    const recovered = at.event("run_recovered");
    expect(recovered).toMatchObject({ of_run: at.runs()[0], interrupted_iteration: 1 });
    expect(recovered?.ended_processes).toContain(orphan?.pid ?? 0);
    expect(recovered?.ended_processes).toContain(orphan?.child ?? 0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "project_complete" });
    expect(at.status()).toMatchObject({ calls_made_this_hour: 4 });
  });

  test.concurrent("a run that is killed again and again spends no more than its bounds allow", async () => {
    const paid = (nth: number) => works(nth, { cost: 0.25 });
    const at = project({ steps: [paid(1), stuck, paid(2), stuck, paid(3), stuck] });
    for (let life = 1; life <= 2; life += 1) {
      const live = at.start("run", "--max-cost", "0.75");
      await until("a second call", () => at.calls().length === 2 * life && at.event("agent_started")?.iteration === 2);
      live.kill("SIGKILL");
      await live.ended;
    }
    const { exit, stdout } = await at.ralph("run", "--max-cost", "0.75");
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 5 });
    expect(stdout.replace(/\s+/g, " ")).toContain("its 4 iterations and $0.50 count against the bounds");
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_cost", iterations: 1 });
    at.script([paid(9)]);
    expect((await at.ralph("run", "--max-cost", "0.25")).exit).toBe(4);
    expect(at.calls()).toHaveLength(6);
  });

  test.concurrent("a bound that is typed after a crash counts what comes", async () => {
    const at = project({ steps: [works(1), stuck, works(2)] });
    const live = at.start("run");
    await until("a second call", () => at.calls().length === 2 && at.event("agent_started")?.iteration === 2);
    live.kill("SIGKILL");
    await live.ended;
    const { exit, stdout } = await at.ralph("run", "--max-iterations", "1");
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 3 });
    expect(stdout).not.toContain("count against the bounds");
    const again = await at.ralph("run", "--max-iterations", "1");
    expect({ exit: again.exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 4 });
  });

  test.concurrent.skipIf(process.platform !== "linux")(
    "an agent whose start was not recorded is ended too",
    async () => {
      const at = project({ steps: [{ ...stuck, child: "daemon" }, works(1)] });
      await crashed(at);
      const journal = `.ralph/runs/${at.runs()[0]}/events.jsonl`;
      const lines = at.read(journal).split("\n");
      at.write(
        journal,
        `${lines
          .slice(
            0,
            lines.findIndex((line) => line.includes('"agent_started"')),
          )
          .join("\n")}\n`,
      );
      await at.ralph("--max-iterations", "1");
      const [orphan] = at.calls();
      expect([orphan?.pid ?? 0, orphan?.child ?? 0].map(lives)).toEqual([false, false]);
    },
  );

  test.concurrent.skipIf(process.platform !== "linux")(
    "a daemon that has left its group, its environment and its parent is ended by the next start",
    async () => {
      const daemon = "setsid env -i sh -c 'sleep 600 >/dev/null 2>&1 & echo $! >daemon.pid'";
      const at = project({ steps: [{ ...stuck, shell: daemon }, works(1)] });
      await crashed(at);
      await until("the daemon", () => at.has("daemon.pid") && at.read("daemon.pid") !== "");
      const pid = Number(at.read("daemon.pid"));
      expect(lives(pid)).toBe(true);
      await at.ralph("--max-iterations", "1");
      expect(lives(pid)).toBe(false);
    },
  );

  test.concurrent("the session chosen for a crashed call is resumed only if the agent has started it", async () => {
    const at = project({ steps: [stuck, works(1)] });
    await crashed(at);
    await at.ralph("--max-iterations", "2");
    expect(at.calls()[1]?.argv).not.toContain("--resume");
  });
});

describe.skipIf(process.platform === "win32")("the call budget", () => {
  test.concurrent("makes a run wait for the next clock hour once it is spent, even after a restart", async () => {
    const at = project({ steps: [works(1)] });
    for (const calls of [1, 1]) {
      const live = at.start("-c", "1");
      await until("the wait", () => at.has(".ralph/status.json") && at.status().status === "paused");
      expect(at.calls().length).toBe(calls);
      expect(at.status()).toMatchObject({ calls_made_this_hour: 1, max_calls_per_hour: 1 });
      expect(Date.parse(at.event("wait_started")?.until ?? "") % 1_800_000).toBe(0);
      const { stdout } = await at.ralph("status", "--json");
      expect(JSON.parse(stdout)).toMatchObject({ phase: "waiting", calls: { used: 1 } });
      live.kill("SIGTERM");
      expect((await live.ended).exit).toBe(143);
    }
    expect(at.read(".ralph/.call_count").trim()).toBe("1");
  });
});
