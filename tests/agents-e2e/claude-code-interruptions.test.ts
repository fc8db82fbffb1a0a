/** Signals in the middle of an iteration, and leftover processes of an agent. */
import { describe, expect, test } from "bun:test";
import { killWithGuardian } from "../e2e/support/kill.ts";
import { claudeProject } from "./claude-project.ts";
import { busyRun, expectNextGoesOn, expectNothingLeft, expectTerminated } from "./every-agent.ts";
import { expectEnd, isRunning, until } from "./expectations.ts";

describe.if(process.platform === "linux")("while a shell tool of the agent runs", () => {
  test("SIGTERM ends the run and everything below it, and the next run resumes the session", async () => {
    await using project = await claudeProject("long-shell");
    const busy = await busyRun(project);
    const at = Date.now();
    await expectTerminated(project, busy);
    expect(Date.now() - at).toBeLessThan(40_000);
    const journal = project.journal();
    expect(journal.of("stop_requested")).toMatchObject([{ how: "now", by: "SIGTERM" }]);
    expect(journal.of("agent_finished")).toMatchObject([{ outcome: "stopped" }]);
    expect(journal.of("iteration_interrupted")).toMatchObject([{ number: 1 }]);
    expect(journal.of("reset")).toEqual([]);
    await expectNextGoesOn(project);
  });

  test("a ralph that is killed with its guardian leaves an orphan, which the next one ends before it goes on", async () => {
    await using project = await claudeProject("long-shell");
    const busy = await busyRun(project);
    await killWithGuardian({ ...busy.ralph, kill: busy.ralph.signal });
    expect(isRunning(busy.tool)).toBe(true);
    await expectNextGoesOn(project);
    expectNothingLeft(busy);
    const [recovered] = project.journal().of("run_recovered");
    expect(recovered?.interrupted_iteration).toBe(1);
    expect(recovered?.ended_processes).toContain(busy.tool);
  });

  test("Ctrl+C twice ends the agent and its session at once", async () => {
    await using project = await claudeProject("long-shell");
    const busy = await busyRun(project);
    busy.ralph.signal("SIGINT");
    await until(() => project.journal().of("stop_requested").length === 1);
    busy.ralph.signal("SIGINT");
    expectEnd(project, await busy.ralph.ended, "interrupted", { requests: 1 });
    expectNothingLeft(busy);
    expect(project.journal().of("reset")).toMatchObject([{ what: "session", reason: "manual_interrupt" }]);
  });
});

test("Ctrl+C once lets the iteration finish", async () => {
  await using project = await claudeProject("slow-shell");
  const ralph = project.start(["run"]);
  await until(() => project.read("started") !== null);
  ralph.signal("SIGINT");
  const ended = await ralph.ended;
  expectEnd(project, ended, "stopped_by_user", { requests: 2 });
  expect(project.read("built.txt")).toBe("built\n");
  expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "answered" }]);
  expect(ended.stdout).toContain("Stopping after this iteration.");
});

test.if(process.platform === "linux")("a server that the agent left behind is ended with the iteration", async () => {
  await using project = await claudeProject("daemon");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(isRunning(Number(project.read("daemon.pid")))).toBe(false);
  expect(project.journal().of("note")).toMatchObject([{ text: expect.stringContaining("left behind") }]);
});
