import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import type { RalphEvent } from "../../src/core/event.ts";
import { works } from "./answers.ts";
import { lives, project, until } from "./harness.ts";
import { onTerminal } from "./pty.ts";

const held = (n: number) => ({ ...works(n), waits_for: `.ralph/go${n}` });

describe.concurrent("steering a run from another terminal", () => {
  test("say, pause, resume, extend and stop do what they say", async () => {
    const at = project({ steps: [held(1), works(2), held(3)] });
    const live = at.start("--max-iterations", "2");
    await until("a call", () => at.calls().length === 1);
    expect((await at.ralph("say", "Use", "yargs")).stdout).toContain("next prompt");
    expect((await at.ralph("pause")).exit).toBe(0);
    at.write(".ralph/go1", "");
    await until("the pause", () => at.event("wait_started")?.why === "paused");
    await until("status.json says so", () => at.status().status === "paused");
    expect(JSON.parse((await at.ralph("status", "--json")).stdout)).toMatchObject({
      status: "running",
      phase: "paused",
    });
    expect((await at.ralph("extend", "3")).exit).toBe(0);
    expect((await at.ralph("resume")).exit).toBe(0);
    await until("the third call, beyond the old bound", () => at.calls().length === 3);
    expect(at.calls()[1]?.stdin).toContain("The user of ralph says:\nUse yargs");
    expect(at.calls()[2]?.stdin).not.toContain("yargs");
    await at.ralph("stop");
    await at.ralph("stop", "--withdraw");
    await at.ralph("stop", "--now");
    expect((await live.ended).exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user" });
    const told = at
      .events()
      .filter((event): event is Extract<RalphEvent, { type: "stop_requested" }> => event.type === "stop_requested");
    expect(told.map(({ how, by }) => [how, by])).toEqual([
      ["after_iteration", "user"],
      ["now", "user"],
    ]);
    expect(readdirSync(at.path(".ralph/control"))).toEqual([]);
    if (process.platform !== "win32") expect(statSync(at.path(".ralph/control")).mode & 0o777).toBe(0o700);
  });

  test.each(["say x", "stop", "pause", "resume", "extend"])("%s is refused where no run lives", async (words) => {
    const at = project();
    const { exit, stderr } = await at.ralph(...words.split(" "));
    expect(exit).toBe(7);
    expect(stderr).toContain("No run lives in this project.");
    expect(existsSync(at.path(".ralph/control"))).toBe(false);
  });

  test("an agent may not steer the run that it works for", async () => {
    const at = project({ env: { RALPH_RUN: "0001-x" } });
    const { exit, stderr } = await at.ralph("stop");
    expect(exit).toBe(7);
    expect(stderr).toContain("An agent may not steer the run");
  });

  test("a run without such a bound is not extended", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const { exit, stderr } = await at.ralph("extend");
    expect(exit).toBe(7);
    expect(stderr).toContain("no bound on iterations");
    live.kill("SIGTERM");
    await live.ended;
  });

  test("words that an interrupted iteration had are said again by the next run", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    await at.ralph("say", "Mind the gap");
    live.kill("SIGTERM");
    await live.ended;
    await at.ralph("--max-iterations", "1");
    expect(at.calls()[1]?.stdin).toContain("Mind the gap");
  });
});

describe.skipIf(process.platform === "win32").concurrent("ralph run --detach", () => {
  test("goes on without its terminal; attach shows it, and leaving stops nothing", async () => {
    const at = project({ steps: [held(1)] });
    const first = onTerminal(["run", "--detach", "--max-iterations", "1"], { cwd: at.dir, env: at.env });
    expect(await first.exited).toBe(0);
    expect(first.normal()).toContain("ralph attach");
    await until("a call", () => at.calls().length === 1);
    const { pid } = JSON.parse(at.read(".ralph/lock")) as { pid: number };
    expect(lives(pid)).toBe(true);

    const screen = onTerminal(["attach"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1 of 1");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(lives(pid)).toBe(true);
    at.write(".ralph/go1", "");
    await until("the end", () => at.event("run_finished") !== undefined);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations" });
  });

  test("with -m, the dashboard shows the run in the background", async () => {
    const at = project({ steps: [held(1)] });
    const screen = onTerminal(["run", "-m", "--detach"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    const { pid } = JSON.parse(at.read(".ralph/lock")) as { pid: number };
    expect(lives(pid)).toBe(true);
    expect((await at.ralph("stop", "--now")).exit).toBe(0);
    await until("the end", () => !lives(pid));
  });

  test("a run that cannot begin says why, with its own exit code", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const { exit, stderr } = await at.ralph("run", "--detach");
    expect(exit).toBe(7);
    expect(stderr).toContain("is running in this project");
    live.kill("SIGTERM");
    await live.ended;
  });
});

test("ralph run --json prints the journal and nothing else", async () => {
  const at = project({ steps: [works(1)] });
  const { stdout } = await at.ralph("run", "--json", "--max-iterations", "1");
  expect(stdout.trimEnd().split("\n")).toEqual(at.events().map((event) => JSON.stringify(event)));
});
