/** The compiled program runs Claude Code until the work is done. */
import { expect, test } from "bun:test";
import { claudeProject } from "./claude-project.ts";
import { expectEnd } from "./expectations.ts";

const flagOf = (argv: readonly string[] | undefined, flag: string) => argv?.[argv.indexOf(flag) + 1];

test("one plain answer is one iteration, and the model is asked once", async () => {
  await using project = await claudeProject("plain-text");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 1 });
  const [iteration] = project.journal().of("iteration_finished");
  expect(iteration).toMatchObject({
    outcome: "answered",
    analysis: { status: "IN_PROGRESS", exit_signal: false, recommendation: "Start with the first open task" },
    evidence: { progress: false, files_changed: [], plan_delta: 0 },
    usage: { input_tokens: 1200, output_tokens: 90 },
  });
  expect(iteration?.usage.cost_usd).toBeGreaterThan(0);
  expect(ended.stdout).toContain("I looked at the plan and found three open tasks.");
  expect(project.model.requests()[0]?.prompt).toContain("Do the next open task of the plan");
});

test("a second claim of completion, with EXIT_SIGNAL, ends the work in the first one's session", async () => {
  await using project = await claudeProject("two-tasks-to-complete");
  const ended = await project.run(["run", "--max-iterations", "5"]);
  expectEnd(project, ended, "project_complete", { iterations: 2, requests: 5 });
  expect([project.read("one.txt"), project.read("two.txt")]).toEqual(["1\n", "2\n"]);
  expect(project.read(".ralph/@fix_plan.md")).toContain("- [x] Write one.txt\n- [ ] Write two.txt");
  const journal = project.journal();
  expect(journal.of("iteration_finished").map(({ evidence }) => [evidence.files_changed, evidence.plan_delta])).toEqual(
    [
      [["one.txt"], 1],
      [["two.txt"], 0],
    ],
  );
  const [first, second] = journal.of("agent_started").map(({ argv }) => argv);
  const session = flagOf(first, "--session-id");
  expect(flagOf(second, "--resume")).toBe(session ?? "none");
  expect(second).not.toContain("--session-id");
  expect(new Set(project.model.requests().map((request) => request.session))).toEqual(new Set([session ?? "none"]));
  expect(journal.of("reset")).toMatchObject([{ what: "session", reason: "project_complete" }]);
});

test("ticking the plan's last box ends the work, whatever the agent says", async () => {
  await using project = await claudeProject("plan-to-complete");
  const ended = await project.run(["run"]);
  expectEnd(project, ended, "plan_complete", { iterations: 2, requests: 6 });
  expect(project.read(".ralph/@fix_plan.md")).toBe("# Plan\n\n- [x] Write one.txt\n- [x] Write two.txt\n");
});

test("a task on the command line needs no prompt and no plan", async () => {
  await using project = await claudeProject("write-file-complete");
  const ended = await project.run(["Write hello.txt", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(project.read("hello.txt")).toBe("hello from the mock\n");
  expect(project.model.body(project.model.requests()[0])).toContain("Write hello.txt");
});

test("a prompt of 200 kB that starts with front matter reaches the model complete", async () => {
  await using project = await claudeProject("plain-text");
  const prompt = `---\ntitle: -p\n---\n${"All work and no play. ".repeat(9_000)}The end.`;
  project.write(".ralph/PROMPT.md", `${prompt}\n`);
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expect(ended.exitCode).toBe(4);
  const body = project.model.body(project.model.requests()[0]);
  expect(body.includes(JSON.stringify(prompt).slice(1, -1))).toBe(true);
});

test("the agent's reported cost ends the run at its bound", async () => {
  await using project = await claudeProject("four-answers");
  const ended = await project.run(["run", "--max-cost", "0.01"]);
  expectEnd(project, ended, "max_cost", { iterations: 2, requests: 2 });
});

test("a .ralph that the agent removes is restored with its journal, and the run ends for the user to look", async () => {
  await using project = await claudeProject("removes-ralph");
  const ended = await project.run(["run"]);
  expectEnd(project, ended, "files_deleted", { requests: 2 });
  expect(project.read(".ralph/PROMPT.md")).toBe("Do the next open task of the plan, and tick its box.\n");
  expect(project.read(".ralph/@fix_plan.md")).toContain("- [ ] Write one.txt");
});
