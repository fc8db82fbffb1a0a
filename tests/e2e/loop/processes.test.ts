import { afterAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { answer, works } from "../support/answers.ts";
import { cleanUp, lives, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const ONE = ["--max-iterations", "1"];

describe.skipIf(process.platform === "win32")("an agent", () => {
  test.concurrent("that times out with changed files has worked", async () => {
    const at = project({ steps: [{ ...works(1), hangs: true, stdout: "" }] });
    const { exit } = await at.ralph("--timeout", "4s", ...ONE);
    expect(exit).toBe(4);
    expect(at.event("agent_finished")).toMatchObject({ outcome: "timed_out", ok: false });
    expect(at.event("iteration_finished")).toMatchObject({ outcome: "timed_out", evidence: { progress: true } });
    expect(at.event("wait_started")).toBeUndefined();
    expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false]);
  });

  test.concurrent.each(["--timeout", "--idle-timeout"])(
    "that finished while ralph itself was suspended has answered, whatever %s says",
    async (flag) => {
      const at = project({ steps: [{ ...works(1), waits_for: "go" }] });
      const live = at.start(flag, "8s", ...ONE);
      await until("the agent", () => at.event("agent_started") !== undefined && at.calls().length === 1);
      live.kill("SIGSTOP");
      at.write("go", "");
      const stoppedAt = performance.now();
      await until("its end", () => at.calls().every(({ pid }) => !lives(pid)) && performance.now() - stoppedAt > 8200);
      live.kill("SIGCONT");
      expect((await live.ended).exit).toBe(4);
      expect(at.event("agent_finished")).toMatchObject({ outcome: "ok", ok: true });
    },
  );

  test.concurrent("that times out twice without writing opens the breaker", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const { exit } = await at.ralph("--timeout", "1s");
    expect(exit).toBe(3);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "read_only_timeouts", calls: 2 });
    expect(at.status()).toMatchObject({ status: "halted", exit_reason: "read_only_timeouts" });
  });

  test.concurrent("that is silent for longer than the idle timeout is ended", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const { exit } = await at.ralph("--idle-timeout", "1s", ...ONE);
    expect(exit).toBe(4);
    expect(at.event("agent_finished")).toMatchObject({ outcome: "idle" });
  });

  test.concurrent("whose child holds the pipe does not stall the run, and the child is ended", async () => {
    const at = project({ steps: [{ ...works(1), child: "holds_pipe" }] });
    const { exit } = await at.ralph(...ONE);
    expect(exit).toBe(4);
    expect(at.event("iteration_finished")?.outcome).toBe("answered");
    expect(lives(at.calls()[0]?.child ?? 0)).toBe(false);
  });

  test.concurrent("whose daemon left its group and session leaves nothing behind", async () => {
    const at = project({ steps: [{ ...works(1), child: "daemon" }] });
    await at.ralph(...ONE);
    expect(lives(at.calls()[0]?.child ?? 0)).toBe(false);
    expect(at.event("note")?.text).toContain("left behind");
  });

  test.concurrent("that keeps running after its final event has answered and is ended", async () => {
    const at = project({ steps: [{ ...works(1), hangs: true }] });
    const { exit } = await at.ralph(...ONE);
    expect(exit).toBe(4);
    expect(at.event("agent_finished")).toMatchObject({ outcome: "ok", ok: true });
    expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false]);
  });

  test.concurrent("that floods is read to its end, byte for byte", async () => {
    const lines = 20_000;
    const at = project({ steps: [{ ...works(1), flood: lines }] });
    const { exit } = await at.ralph(...ONE);
    expect(exit).toBe(4);
    const out = at.path(`.ralph/runs/${at.runs()[0]}/1-1.out`);
    expect(statSync(out).size).toBe(lines * 1000 + Buffer.byteLength(answer()));
    expect(at.event("iteration_finished")?.outcome).toBe("answered");
  });

  test.concurrent("gets the prompt by stdin, the marker, the project as its folder, and nothing of the prompt in argv", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph(...ONE);
    const [call] = at.calls();
    expect(call).toMatchObject({ stdin: expect.stringContaining("Do the next task."), cwd: at.dir });
    expect(call?.argv.join(" ")).not.toContain("Do the next task.");
    expect(call?.marker).toBe(at.event("agent_started")?.marker ?? "");
  });

  test.concurrent("that gets its prompt in argv gets it without a shell", async () => {
    const at = project({ steps: [works(1)], files: { ".ralph/PROMPT.md": "$(touch pwned) `touch pwned`\n" } });
    await at.ralph("--model", "$(touch pwned)", ...ONE);
    expect(at.has("pwned")).toBe(false);
    expect(at.calls()[0]?.argv).toContain("$(touch pwned)");
  });
});
