import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import stringWidth from "string-width";
import { binary } from "../../../scripts/lib/paths.ts";
import { works } from "../support/answers.ts";
import { lives, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

const held = (n: number) => ({ ...works(n), waits_for: `.ralph/go${n}` });
const AS_IT_WAS = { alternate: false, cursor: true, wraps: true };

describe.skipIf(process.platform === "win32")("the title of the window", () => {
  test.concurrent.each([[[]], [["--monitor"]]])(
    "names the agent and the project while `ralph %j` goes on",
    async (flags) => {
      const files = { ".ralph/PROMPT.md": "Do it.\n", ".ralph/.ralphrc": "PROJECT_NAME=greeter\n" };
      const at = project({ files, steps: [held(1)] });
      const screen = onTerminal([...flags, "--max-iterations", "1"], { cwd: at.dir, env: at.env });
      await until("the title", () => screen.title() === "Ralph Loop · Claude Code · greeter");
      at.write(".ralph/go1", "");
      if (flags.length > 0) {
        await screen.shows("max_iterations");
        screen.type("q");
      }
      expect(await screen.exited).toBe(4);
      expect(screen.title()).toBeNull();
    },
  );

  test.concurrent("stays as it is where the journal is printed", async () => {
    const at = project({ steps: [works(1)] });
    const screen = onTerminal(["run", "--json", "--max-iterations", "1"], { cwd: at.dir, env: at.env });
    expect(await screen.exited).toBe(4);
    expect({ title: screen.title(), json: screen.normal().startsWith('{"v":1') }).toEqual({ title: null, json: true });
  });

  test.concurrent("is nobody's where no terminal is", async () => {
    const { stdout } = await project({ steps: [works(1)] }).ralph("--max-iterations", "1");
    expect(stdout).not.toContain("\u001b]");
  });
});

describe.skipIf(process.platform === "win32")("the dashboard of a run in another process", () => {
  test.concurrent("pauses it, sends its agent a message and stops it", async () => {
    const at = project({ steps: [held(1), held(2), works(3)] });
    const live = at.start("--max-iterations", "9");
    await until("a call", () => at.calls().length === 1);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1 of 9");
    await screen.shows("0 of 3");

    screen.type("p");
    await screen.shows("pausing after this iteration");
    screen.type("tUse yargs\r");
    await screen.shows("For the next prompt: Use yargs");
    at.write(".ralph/go1", "");
    await screen.shows("paused");
    expect(at.calls().length).toBe(1);

    screen.type("p");
    await screen.shows("iteration 2 of 9");
    await screen.shows("Told the agent: Use yargs");
    await until("the second call", () => at.calls().length === 2);
    expect(at.calls()[1]?.stdin).toContain("The user of ralph says:\nUse yargs");
    screen.type("+");
    await screen.shows("iteration 2 of 10");
    screen.type("s");
    await screen.shows("stopping after this iteration");
    screen.type("w");
    await screen.shows("the stop was withdrawn");
    screen.type("s");
    await until("the second stop", () => at.events().filter(({ type }) => type === "stop_requested").length === 2);
    at.write(".ralph/go2", "");
    expect((await live.ended).exit).toBe(0);
    await screen.shows("stopped_by_user");

    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.modes()).toEqual(AS_IT_WAS);
    expect(at.calls().length).toBe(2);
    expect(at.events().map(({ type }) => type)).toEqual(
      expect.arrayContaining(["paused", "said", "resumed", "bound_raised", "stop_withdrawn"]),
    );
  });

  test.concurrent("says that a run did not receive a message", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("t tell");
    live.kill("SIGSTOP");
    screen.type("tUse yargs\r");
    await screen.shows("Said: it goes into the next prompt.");
    live.kill("SIGKILL");
    await screen.shows("The run ended before it heard this.");
    screen.type("q");
    await screen.exited;
  });

  test.concurrent("says that a suspended run does not answer", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("p pause");
    live.kill("SIGSTOP");
    screen.type("p");
    await screen.shows("The run does not answer just now; it hears this when it goes on, while the dashboard is open.");
    live.kill("SIGCONT");
    await screen.shows("pausing after this iteration");
    screen.type("q");
    await screen.exited;
    live.kill("SIGTERM");
    await live.ended;
  });

  test.concurrent("redraws at every size, down to 40 columns", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const screen = onTerminal(["attach"], { cwd: at.dir, env: at.env });
    await screen.shows("Circuit breaker");
    screen.resize(40, 12);
    await screen.shows(/^breaker CLOSED/m);
    expect(screen.lines().length).toBeLessThanOrEqual(12);
    expect(Math.max(...screen.lines().map((line) => stringWidth(line)))).toBeLessThanOrEqual(40);
    screen.resize(200, 50);
    await screen.shows("Activity");
    screen.type("q");
    await screen.exited;
    // Leaving stops nothing.
    expect(lives(live.pid)).toBe(true);
    live.kill("SIGTERM");
    await live.ended;
  });

  test.concurrent.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("restores the terminal on %s", async (signal, code) => {
    const at = project({ steps: [works(1)] });
    await at.ralph("--max-iterations", "1");
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("max_iterations");
    screen.kill(signal);
    expect(await screen.exited).toBe(code);
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });

  test.concurrent.skipIf(Bun.which("bash") === null)(
    "is stopped by Ctrl+Z, and draws itself anew when it goes on",
    async () => {
      const at = project({ steps: [works(1)] });
      await at.ralph("--max-iterations", "1");
      const env = { ...at.env, RALPH: binary, PS1: "$ " };
      const screen = onTerminal(["--norc", "-i"], { cwd: at.dir, env, program: Bun.which("bash") ?? "" });
      screen.type('"$RALPH" monitor\r');
      await screen.shows("max_iterations");
      screen.type("\u001a");
      await until("the shell", () => screen.normal().includes("Stopped"));
      expect(screen.modes()).toEqual(AS_IT_WAS);
      screen.type("fg\r");
      await until("the screen", () => screen.modes().alternate);
      await screen.shows("max_iterations");
      screen.type("q");
      await until("the shell", () => !screen.modes().alternate);
      screen.type("exit\r");
      expect(await screen.exited).toBe(0);
      expect(screen.modes()).toEqual(AS_IT_WAS);
    },
  );

  test.concurrent("is read-only for the agent itself", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: { ...at.env, RALPH_RUN: "r" } });
    await screen.shows("read-only");
    screen.type("s");
    await screen.shows("An agent may not steer the run that it works for.");
    screen.type("q");
    await screen.exited;
    expect(at.event("stop_requested")).toBeUndefined();
    live.kill("SIGTERM");
    await live.ended;
  });
});

describe.skipIf(process.platform === "win32")("monitor without a live run", () => {
  test.concurrent("waits for the first run and follows it when it starts", async () => {
    const at = project({ steps: [held(1)] });
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("Waiting for a run");
    screen.type("p");
    await screen.shows("There is no run yet.");
    const live = at.start("--max-iterations", "1");
    await screen.shows("iteration 1 of 1");
    at.write(".ralph/go1", "");
    await live.ended;
    await screen.shows("max_iterations");
    screen.type("p");
    await screen.shows("The run is over.");
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });

  test.concurrent("reports a run that stays unreadable", async () => {
    const at = project({});
    mkdirSync(at.path(".ralph/runs/0001-20260304-120000/events.jsonl"), { recursive: true });
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    expect(await screen.exited).toBe(7);
    expect(screen.normal()).toContain("A folder stands where a file is needed");
  });

  test.concurrent("says that a killed run is gone", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1");
    live.kill("SIGKILL");
    await screen.shows("✗ broke off");
    screen.type("s");
    await screen.shows("The process is gone.");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.modes()).toEqual(AS_IT_WAS);
    // The next start ends the agent that it left behind.
    await at.ralph("--max-iterations", "1", "--timeout", "1s");
  });
});

describe.skipIf(process.platform === "win32")("ralph run -m", () => {
  test.concurrent("stops after the iteration at Ctrl+C, explains the second one and aborts on it", async () => {
    const at = project({ steps: [held(1)] });
    const screen = onTerminal(["run", "-m"], { cwd: at.dir, env: at.env });
    await until("a call", () => at.calls().length === 1);
    await screen.shows("iteration 1");
    screen.type("\u0003");
    await screen.shows("stopping after this iteration");
    await screen.shows("Ctrl+C again ends it now");
    screen.type("\u0003");
    expect(await screen.exited).toBe(130);
    expect(screen.modes()).toEqual(AS_IT_WAS);
    expect(screen.normal()).toContain("interrupted");
  });

  test.concurrent.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends its agent and restores the terminal on %s", async (signal, code) => {
    const at = project({ steps: [held(1)] });
    const screen = onTerminal(["run", "-m"], { cwd: at.dir, env: at.env });
    await until("a call", () => at.calls().length === 1);
    await screen.shows("iteration 1");
    screen.kill(signal);
    expect(await screen.exited).toBe(code);
    expect(screen.modes()).toEqual(AS_IT_WAS);
    expect(lives(at.calls()[0]?.pid ?? 0)).toBe(false);
  });

  test.concurrent("shows its own run, and goes on in lines when the user leaves", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const screen = onTerminal(["run", "-m", "--max-iterations", "2"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1 of 2");
    screen.type("q");
    await until("the normal screen", () => !screen.modes().alternate);
    at.write(".ralph/go1", "");
    expect(await screen.exited).toBe(4);
    expect(screen.normal()).toContain("Iteration 2");
    expect(screen.normal()).toContain("max_iterations");
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });

  test.concurrent("stays open at the end until the user leaves, and asks once before it aborts", async () => {
    const at = project({ steps: [held(1)] });
    const screen = onTerminal(["run", "-m"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1");
    await until("a call", () => at.calls().length === 1);
    screen.type("a");
    await screen.shows("End the agent now");
    screen.type("n");
    await screen.shows("a abort");
    expect(at.event("stop_requested")).toBeUndefined();
    screen.type("ay");
    await screen.shows("stopped_by_user");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.normal()).toContain("stopped_by_user");
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });
});
