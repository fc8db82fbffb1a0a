/** Expectations that every agent has to meet. */
import { expect } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EventOf } from "../../src/core/journal/event.ts";
import type { AgentProject, Environment, Running } from "./agent-project.ts";
import { expectEnd, isRunning, pidsWith, until } from "./expectations.ts";
import type { Journal } from "./journal.ts";

/** The session of each request, as the model received it. */
export const sessions = (project: AgentProject) => project.model.requests().map(({ session }) => session);

/** Plays `three-to-complete`: three files, in three iterations of one session. */
export async function expectThreeIterations(
  project: AgentProject,
  args: readonly string[] = [],
): Promise<{ journal: Journal; id: string }> {
  const ended = await project.run(["run", ...args]);
  expectEnd(project, ended, "project_complete", { iterations: 3, requests: 6 });
  expect(new Set(sessions(project)).size).toBe(1);
  const journal = project.journal();
  const [id = "none"] = journal.of("agent_session").map(({ session_id }) => session_id);
  expect(journal.of("iteration_started").map(({ resume }) => resume)).toEqual([null, id, id]);
  const changed = journal.of("iteration_finished").map(({ evidence }) => evidence.files_changed);
  expect(changed).toEqual([["one.txt"], ["two.txt"], ["three.txt"]]);
  expect(journal.of("agent_tool_started").map(({ tool }) => tool)).toEqual(["Write", "Write", "Write"]);
  // Six answers of 1000 and 50 tokens.
  expect(journal.of("run_finished")[0]?.usage).toMatchObject({ input_tokens: 6000, output_tokens: 300 });
  return { journal, id };
}

/** Plays `four-answers`: the CLI does not know the stored session. */
export async function expectDroppedSession(project: AgentProject, unknown: string): Promise<void> {
  await project.run(["run", "--max-iterations", "1"]);
  project.write(".ralph/.claude_session_id", `${unknown}\n`);
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { calls: 2, requests: 2 });
  const journal = project.journal();
  expect(journal.of("iteration_started").map(({ number, call, resume }) => [number, call, resume])).toEqual([
    [1, 1, unknown],
    [1, 2, null],
  ]);
  expect(journal.of("reset")).toMatchObject([{ what: "session", reason: "session_rejected" }]);
  expect(journal.of("iteration_finished")).toMatchObject([{ outcome: "answered" }]);
}

/** A run with a working agent; only on Linux. */
export type Busy = { ralph: Running; tool: number; agent: EventOf<"agent_started"> };

/** Plays `long-shell`: the agent runs a `sleep` of five minutes. */
export async function busyRun(project: AgentProject, ms?: number): Promise<Busy> {
  const ralph = project.start(["run"]);
  await until(() => project.read("shell.pid")?.endsWith("\n") === true, ms);
  const tool = Number(project.read("shell.pid"));
  const [agent] = project.journal().of("agent_started");
  if (agent === undefined) throw new Error("no agent was started");
  expect([isRunning(tool), isRunning(agent.pid)]).toEqual([true, true]);
  return { ralph, tool, agent };
}

/** Whether the agent and its descendants have ended. */
export function expectNothingLeft({ tool, agent }: Busy): void {
  expect([isRunning(tool), isRunning(agent.pid), pidsWith("RALPH_RUN", agent.marker)]).toEqual([false, false, []]);
}

/** SIGTERM ends the run and everything below it. */
export async function expectTerminated(project: AgentProject, busy: Busy): Promise<void> {
  busy.ralph.signal("SIGTERM");
  expectEnd(project, await busy.ralph.ended, "terminated", { requests: 1 });
  expectNothingLeft(busy);
}

/** The next run resumes the session of a run that was ended in its first call. */
export async function expectNextGoesOn(project: AgentProject): Promise<void> {
  const session = project.journal().of("agent_session")[0]?.session_id ?? "none";
  const next = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, next, "max_iterations", { requests: 2 });
  expect(project.journal().of("iteration_started")[0]?.resume).toBe(session);
  expect(sessions(project)).toEqual([session, session]);
}

/**
 * Plays `plan-by-tools` or `plan-by-shell`: shut in by bubblewrap, the agent does the plan in one conversation, replaces its
 * plan as its tools do, and reaches nothing beside the project. The network is that of this machine: elsewhere than in a test nothing answers on it.
 */
export async function expectShutIn(project: AgentProject, requests = 10, env: Environment = {}): Promise<void> {
  const outside = join(dirname(project.folder), "outside.txt");
  writeFileSync(outside, "of another\n");
  const ended = await project.run(["run", "--sandbox=os", "--max-iterations", "5"], {
    SANDBOX_ALLOW_DOMAINS: "*",
    ...env,
  });
  expectEnd(project, ended, "plan_complete", { iterations: 2, requests });
  expect([project.read("one.txt"), project.read("two.txt")]).toEqual(["1\n", "2\n"]);
  expect(new Set(sessions(project)).size).toBe(1);
  expect(readFileSync(outside, "utf8")).toBe("of another\n");
  expect(ended.stdout).toContain("sandbox os (bubblewrap)");
  expect(JSON.stringify(project.journal().of("agent_tool_finished"))).not.toContain("of another");
  rmSync(outside);
}

/** The CLI names models, without an account and without a request. */
export async function expectModels(project: AgentProject, agent: string, id: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await project.run(["drivers", "models", agent, "--json"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const { models } = JSON.parse(stdout) as { models: { id: string }[] };
  expect(models.length).toBeGreaterThan(0);
  expect(models.map((model) => model.id).filter((one) => !id.test(one))).toEqual([]);
}
