/** Time that has to pass: pauses, limits, timeouts. Side by side, since they only wait. */
import { describe, expect, test } from "bun:test";
import { type ClaudeProject, claudeProject, subscription } from "./claude-project.ts";
import { expectEnd } from "./expectations.ts";

const idOf = (project: ClaudeProject) => project.journal().of("agent_session")[0]?.session_id ?? "none";

test.concurrent("a limit of the plan is waited for, and the same iteration goes on in the same session", async () => {
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
  // What was written before the limit is work of this iteration.
  expect(journal.of("iteration_finished")).toMatchObject([
    { iteration: 1, outcome: "answered", evidence: { files_changed: ["one.txt"] } },
  ]);
  expect(project.status().calls_made_this_hour).toBe(1);
});

test.concurrent("a stream that is cut is a failure of the infrastructure: a pause, and on in the same session", async () => {
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
  // It is nobody's stagnation.
  expect(failed?.breaker).toMatchObject({ state: "closed", no_progress: 0 });
  expect(journal.of("iteration_started")[1]?.resume).toBe(idOf(project));
});

describe("an agent that falls silent is ended at the timeout", () => {
  test.concurrent("and without any work the iteration failed; the next run goes on in its session", async () => {
    await using project = await claudeProject("stall-then-ok");
    const ended = await project.run(["run", "--timeout", "8s", "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 1 });
    expect(project.journal().of("agent_finished")).toMatchObject([{ outcome: "timed_out", ok: false }]);
    expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "failed" }]);
    const session = idOf(project);
    // Without a timeout, so that a slow machine can't meet it again.
    const next = await project.run(["run", "--max-iterations", "1"]);
    expect([next.exitCode, project.model.requests().length]).toEqual([4, 2]);
    expect(project.journal().of("iteration_started")[0]?.resume).toBe(session);
    expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "answered" }]);
  });

  test.concurrent("and what it wrote before is kept as progress", async () => {
    await using project = await claudeProject("stall-after-a-file");
    const ended = await project.run(["run", "--timeout", "8s", "--max-iterations", "1"]);
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

  test.concurrent("by the idle clock as well, long before the timeout", async () => {
    await using project = await claudeProject("stall-then-ok");
    const ended = await project.run(["run", "--idle-timeout", "4s", "--max-iterations", "1"]);
    expect(ended.exitCode).toBe(4);
    expect(project.journal().of("agent_finished")).toMatchObject([{ outcome: "idle", ok: false }]);
  });
});
