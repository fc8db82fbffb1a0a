import { afterAll, describe, expect, test } from "bun:test";
import { binary } from "../../../scripts/lib/paths.ts";
import { answer, SESSION, works } from "../support/answers.ts";
import { cleanUp, lives, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const stuck = { hangs: true };

describe.skipIf(process.platform === "win32")("a signal", () => {
  test.concurrent("SIGINT once lets the iteration end, then the run stops with 0", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGINT");
    await until("the stop is recorded", () => at.event("stop_requested") !== undefined);
    at.write(".ralph/go", "");
    const { exit, stdout } = await live.ended;
    expect(exit).toBe(0);
    expect(at.event("iteration_finished")?.outcome).toBe("answered");
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user", calls: 1 });
    expect(at.status()).toMatchObject({ status: "stopped", exit_reason: "stopped_by_user" });
    expect(stdout).toMatch(/Ctrl\+C/);
    expect(at.event("reset")).toMatchObject({ what: "session", reason: "manual_interrupt" });
  });

  test.concurrent("SIGINT twice ends the agent now, with 130", async () => {
    const at = project({ steps: [stuck] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGINT");
    await until("the stop is recorded", () => at.event("stop_requested") !== undefined);
    live.kill("SIGINT");
    expect((await live.ended).exit).toBe(130);
    expect(at.events().filter(({ type }) => type === "stop_requested")).toMatchObject([
      { how: "after_iteration" },
      { how: "now" },
    ]);
    expect(at.event("iteration_interrupted")).toBeDefined();
    expect(at.status()).toMatchObject({ status: "stopped", exit_reason: "interrupted" });
    expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false]);
  });

  test.concurrent("what an iteration ticked before it was ended counts on every screen", async () => {
    const at = project({
      steps: [{ ...stuck, files: { ".ralph/@fix_plan.md": "- [x] one\n- [ ] two\n" }, stdout: "." }],
    });
    const live = at.start();
    await until("a tick", () => at.read(".ralph/@fix_plan.md").includes("[x]"));
    live.kill("SIGTERM");
    const { stdout } = await live.ended;
    expect(stdout).toContain("plan 1/2");
    const [status, report] = [await at.ralph("status"), await at.ralph("report")].map((ended) => ended.stdout);
    expect(status).toContain("1 of 2 done");
    expect(report).toContain("1 of 2 done");
    expect(report).toMatch(/✓ 1 box\n {5}iteration 1/);
  });

  test.concurrent("a plan that has grown too large to be read does not change how a run was ended", async () => {
    const plan = `- [ ] one\n${"- [ ] and one more task of very many\n".repeat(260_000)}`;
    const at = project({ steps: [{ ...stuck, files: { ".ralph/@fix_plan.md": plan }, stdout: "." }] });
    const live = at.start();
    await until("a plan of 9 MB", () => at.read(".ralph/@fix_plan.md").length === plan.length);
    live.kill("SIGINT");
    await until("the stop is recorded", () => at.event("stop_requested") !== undefined);
    live.kill("SIGINT");
    expect((await live.ended).exit).toBe(130);
    expect(at.event("iteration_interrupted")).toMatchObject({ why: "stopped", plan: null });
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "interrupted" });
    const again = await at.ralph("run");
    expect(again.exit).toBe(7);
    expect(again.stderr).toContain("ralph reads at most 8.4 MB\n  Move it away, or make it shorter.");
  });

  test.concurrent.each([
    ["SIGTERM", 143, "terminated"],
    ["SIGHUP", 129, "hung_up"],
  ] as const)("%s ends the agent now, with %d, and keeps the session", async (signal, exit, reason) => {
    const at = project({ steps: [works(1), stuck] });
    const live = at.start();
    await until("the second call", () => at.calls().length === 2);
    live.kill(signal);
    expect((await live.ended).exit).toBe(exit);
    expect(at.event("agent_finished")).toMatchObject({ outcome: "stopped" });
    expect(at.event("run_finished")).toMatchObject({ stop_reason: reason, exit_code: exit });
    expect(at.status()).toMatchObject({ exit_reason: reason });
    expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false, false]);
    expect(JSON.parse(at.read(".ralph/.ralph_session")).session_id).toBe(SESSION);
    expect(at.has(".ralph/lock")).toBe(false);
  });

  test.skipIf(process.platform !== "linux")("SIGHUP ends no run that was started to outlive its terminal", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
    const live = at.startUnder(["sh", "-c", `trap "" HUP; exec "$@"`, "sh"], "run", "--max-iterations", "1");
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGHUP");
    at.write(".ralph/go", "");
    expect((await live.ended).exit).toBe(4);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations" });
  });

  test.skipIf(process.platform !== "linux")(
    "a run that outlives its terminal ends with its work, also with a dashboard",
    async () => {
      const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
      const words = ["-c", `trap "" HUP; exec "$@"`, "sh", binary, "run", "--monitor", "--max-iterations", "1"];
      const screen = onTerminal(words, { cwd: at.dir, env: at.env, program: "/bin/sh" });
      await screen.shows("iteration 1");
      await until("a call", () => at.calls().length === 1);
      screen.hangUp();
      at.write(".ralph/go", "");
      expect(await screen.exited).toBe(4);
    },
  );

  test.concurrent("SIGTERM ends even an agent that ignores it, and its children", async () => {
    const at = project({ steps: [{ ...stuck, ignores_term: true, child: "holds_pipe" }] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(143);
    const [call] = at.calls();
    expect([call?.pid ?? 0, call?.child ?? 0].map(lives)).toEqual([false, false]);
  });

  test.concurrent.each([
    ["SIGTERM", 143],
    ["SIGINT", 0],
  ] as const)("%s during a wait ends it at once, with %d", async (signal, exit) => {
    const at = project({ steps: [{ stdout: answer({ error: "overloaded" }), exit: 1 }] });
    const live = at.start();
    await until("the wait", () => at.event("wait_started") !== undefined);
    live.kill(signal);
    expect((await live.ended).exit).toBe(exit);
    expect(at.event("run_finished")?.at.localeCompare(at.event("wait_started")?.until ?? "")).toBe(-1);
    expect(at.calls().length).toBe(1);
  });

  test.concurrent("SIGTERM keeps the session, which the next run resumes", async () => {
    const at = project({ steps: [works(1), stuck, works(2)] });
    const live = at.start();
    await until("the second call", () => at.calls().length === 2);
    live.kill("SIGTERM");
    await live.ended;
    const { exit } = await at.ralph("--max-iterations", "1");
    expect(exit).toBe(4);
    expect(at.calls()[2]?.argv).toContain("--resume");
    expect(at.calls()[2]?.argv).toContain(SESSION);
  });
});
