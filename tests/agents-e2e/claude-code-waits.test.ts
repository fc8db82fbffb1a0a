/** Pauses, limits and timeouts. They run side by side, since they only wait. */
import { describe, expect, test } from "bun:test";
import { type ClaudeProject, claudeProject, subscription } from "./claude-project.ts";
import { expectEnd } from "./expectations.ts";

const idOf = (project: ClaudeProject) => project.journal().of("agent_session")[0]?.session_id ?? "none";

test.concurrent("the run waits for a limit of the plan, and the same iteration goes on in the same session", async () => {
  await using project = await claudeProject("limit-after-a-file");
  const ended = await project.run(["run", "--max-iterations", "1"], subscription);
  expectEnd(project, ended, "max_iterations", { requests: 3 });
  const journal = project.journal();
  const [limit] = journal.of("agent_limit");
  const [wait] = journal.of("wait_started");
  const [, again] = journal.of("iteration_started");
  expect(wait?.why).toBe("usage_limit");
  expect(Date.parse(again?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(limit?.resets_at ?? ""));
  expect(again).toMatchObject({ number: 1, call: 2, resume: journal.of("agent_session")[0]?.session_id });
  expect(new Set(project.model.requests().map(({ session }) => session)).size).toBe(1);
  // Files written before the limit are work of this iteration.
  expect(journal.of("iteration_finished")).toMatchObject([
    { iteration: 1, outcome: "answered", evidence: { files_changed: ["one.txt"] } },
  ]);
  expect(project.status().calls_made_this_hour).toBe(1);
});

test.concurrent("after a truncated stream, an infrastructure failure, the run pauses and goes on in the same session", async () => {
  await using project = await claudeProject("truncated-thrice-then-ok");
  const ended = await project.run(["run", "--max-iterations", "2"]);
  expectEnd(project, ended, "max_iterations", { iterations: 2, requests: 4 });
  const journal = project.journal();
  expect(journal.of("agent_finished")[0]).toMatchObject({ ok: false, error: { class: "infrastructure" } });
  const [wait] = journal.of("wait_started");
  expect(wait?.why).toBe("failure");
  expect(Date.parse(wait?.until ?? "") - Date.parse(journal.of("agent_finished")[0]?.at ?? "")).toBe(5000);
  const [failed, answered] = journal.of("iteration_finished");
  expect([failed?.outcome, answered?.outcome]).toEqual(["failed", "answered"]);
  // It does not count as stagnation.
  expect(failed?.breaker).toMatchObject({ state: "closed", no_progress: 0 });
  expect(journal.of("iteration_started")[1]?.resume).toBe(idOf(project));
});

describe("an agent that goes silent is ended", () => {
  test.concurrent("at the timeout, as a failed iteration without work; the next run resumes its session", async () => {
    await using project = await claudeProject("stall-then-ok");
    const ended = await project.run(["run", "--timeout", "8s", "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 1 });
    expect(project.journal().of("agent_finished")).toMatchObject([{ outcome: "timed_out", ok: false }]);
    expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "failed" }]);
    const session = idOf(project);
    // Without a timeout, so that a slow machine cannot meet it again.
    const next = await project.run(["run", "--max-iterations", "1"]);
    expect([next.exitCode, project.model.requests().length]).toEqual([4, 2]);
    expect(project.journal().of("iteration_started")[0]?.resume).toBe(session);
    expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "answered" }]);
  });

  test.concurrent("at the timeout, and its earlier changes count as progress", async () => {
    await using project = await claudeProject("stall-after-a-file");
    // Long enough for two requests on a slow machine that has other work.
    const ended = await project.run(["run", "--timeout", "20s", "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 2 });
    expect(project.read("one.txt")).toBe("1\n");
    expect(project.journal().of("iteration_finished")).toMatchObject([
      {
        outcome: "timed_out",
        evidence: { progress: true, files_changed: ["one.txt"] },
        verdict: { rule: "timed_out_productive" },
      },
    ]);
  });

  test.concurrent("by the idle clock too, long before the timeout", async () => {
    await using project = await claudeProject("stall-then-ok");
    const ended = await project.run(["run", "--idle-timeout", "4s", "--max-iterations", "1"]);
    expect(ended.exitCode).toBe(4);
    expect(project.journal().of("agent_finished")).toMatchObject([{ outcome: "idle", ok: false }]);
  });
});
