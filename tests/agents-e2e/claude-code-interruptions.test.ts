/** Signals in the middle of an iteration, and what an agent leaves behind. */
import { describe, expect, test } from "bun:test";
import { type ClaudeProject, claudeProject } from "./claude-project.ts";
import { expectEnd, isRunning, pidsWith, until } from "./expectations.ts";

const started = (project: ClaudeProject) => project.journal().of("agent_started")[0];
const idOf = (project: ClaudeProject) => project.journal().of("agent_session")[0]?.session_id ?? "none";

describe.if(process.platform === "linux")("while a shell tool of the agent runs", () => {
  /** A run whose agent sits in a `sleep` of five minutes. */
  async function busy(project: ClaudeProject) {
    const ralph = project.start(["run"]);
    await until(() => project.read("shell.pid")?.endsWith("\n") === true);
    const tool = Number(project.read("shell.pid"));
    const agent = started(project);
    if (agent === undefined) throw new Error("no agent was started");
    expect([isRunning(tool), isRunning(agent.pid)]).toEqual([true, true]);
    return { ralph, tool, agent };
  }

  test("SIGTERM ends the run and everything below it, and the next run goes on in the session", async () => {
    await using project = await claudeProject("long-shell");
    const { ralph, tool, agent } = await busy(project);
    const at = Date.now();
    ralph.signal("SIGTERM");
    const ended = await ralph.ended;
    expect(Date.now() - at).toBeLessThan(8000);
    expectEnd(project, ended, {
      reason: "terminated",
      exit: 143,
      status: "stopped",
      iterations: 1,
      calls: 1,
      requests: 1,
    });
    expect([isRunning(tool), isRunning(agent.pid), pidsWith("RALPH_RUN", agent.marker)]).toEqual([false, false, []]);
    const journal = project.journal();
    expect(journal.of("stop_requested")).toMatchObject([{ how: "now", by: "SIGTERM" }]);
    expect(journal.of("agent_finished")).toMatchObject([{ outcome: "stopped" }]);
    expect(journal.of("iteration_interrupted")).toMatchObject([{ number: 1 }]);
    expect(journal.of("reset")).toEqual([]);

    const session = idOf(project);
    const next = await project.run(["run", "--max-iterations", "1"]);
    expectEnd(project, next, {
      reason: "max_iterations",
      exit: 4,
      status: "stopped",
      iterations: 1,
      calls: 1,
      requests: 2,
    });
    expect(project.journal().of("iteration_started")[0]?.resume).toBe(session);
    expect(project.model.requests().map((request) => request.session)).toEqual([session, session]);
  });

  test("a ralph that is killed leaves an orphan, which the next one ends before it goes on", async () => {
    await using project = await claudeProject("long-shell");
    const { ralph, tool, agent } = await busy(project);
    ralph.signal("SIGKILL");
    await ralph.ended;
    expect(isRunning(tool)).toBe(true);
    const session = idOf(project);
    const next = await project.run(["run", "--max-iterations", "1"]);
    expectEnd(project, next, {
      reason: "max_iterations",
      exit: 4,
      status: "stopped",
      iterations: 1,
      calls: 1,
      requests: 2,
    });
    expect([isRunning(tool), isRunning(agent.pid), pidsWith("RALPH_RUN", agent.marker)]).toEqual([false, false, []]);
    const [recovered] = project.journal().of("run_recovered");
    expect(recovered?.interrupted_iteration).toBe(1);
    expect(recovered?.ended_processes).toContain(tool);
    expect(project.journal().of("iteration_started")[0]?.resume).toBe(session);
  });

  test("Ctrl+C twice ends it now, and the session with it", async () => {
    await using project = await claudeProject("long-shell");
    const { ralph, tool, agent } = await busy(project);
    ralph.signal("SIGINT");
    await until(() => project.journal().of("stop_requested").length === 1);
    ralph.signal("SIGINT");
    const ended = await ralph.ended;
    expectEnd(project, ended, {
      reason: "interrupted",
      exit: 130,
      status: "stopped",
      iterations: 1,
      calls: 1,
      requests: 1,
    });
    expect([isRunning(tool), pidsWith("RALPH_RUN", agent.marker)]).toEqual([false, []]);
    expect(project.journal().of("reset")).toMatchObject([{ what: "session", reason: "manual_interrupt" }]);
  });
});

test("Ctrl+C once lets the iteration come to its end", async () => {
  await using project = await claudeProject("slow-shell");
  const ralph = project.start(["run"]);
  await until(() => project.read("started") !== null);
  ralph.signal("SIGINT");
  const ended = await ralph.ended;
  expectEnd(project, ended, {
    reason: "stopped_by_user",
    exit: 0,
    status: "stopped",
    iterations: 1,
    calls: 1,
    requests: 2,
  });
  expect(project.read("built.txt")).toBe("built\n");
  expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "answered" }]);
  expect(ended.stdout).toContain("Stopping after this iteration.");
});

test.if(process.platform === "linux")("a server that the agent leaves behind is ended with the iteration", async () => {
  await using project = await claudeProject("daemon");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, {
    reason: "max_iterations",
    exit: 4,
    status: "stopped",
    iterations: 1,
    calls: 1,
    requests: 2,
  });
  expect(isRunning(Number(project.read("daemon.pid")))).toBe(false);
  expect(project.journal().of("note")).toMatchObject([{ text: expect.stringContaining("left behind") }]);
});
