import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentProject } from "./agent-project.ts";
import { expectDroppedSession, expectNextGoesOn, expectThreeIterations, sessions } from "./every-agent.ts";
import { expectEnd, isRunning, pidsWith, until } from "./expectations.ts";
import { expectImport } from "./import-expectations.ts";

/**
 * What points Codex at the mock model, with one retry of each kind. Its sandbox starts through links that it makes in its
 * home, but never in one below the temporary folder, as that of a test is: so it gets another temporary folder.
 */
function pointedAt(url: string, home: string): Record<string, string> {
  const [folder, temporary] = [join(home, "codex"), join(home, "tmp")];
  mkdirSync(folder);
  mkdirSync(temporary);
  const config = `model = "gpt-5.5"
model_provider = "mock"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.mock]
name = "Mock"
base_url = "${url}/v1"
env_key = "MOCK_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
  writeFileSync(join(folder, "config.toml"), config);
  return { CODEX_HOME: folder, TMPDIR: temporary, MOCK_API_KEY: "dummy-key", PLATFORM_DRIVER: "codex" };
}

const codexProject = (scenario: string) => agentProject(scenario, pointedAt);

test("three iterations come to project_complete in one thread, with the files that they say", async () => {
  await using project = await codexProject("three-to-complete");
  const { journal, id } = await expectThreeIterations(project, ["--effort", "low"]);
  expect(journal.of("agent_started").map(({ argv }) => argv.slice(1).join(" "))).toEqual([
    'exec --json --sandbox workspace-write -c model_reasoning_effort="low" -',
    `exec --json --sandbox workspace-write -c model_reasoning_effort="low" resume ${id} -`,
    `exec --json --sandbox workspace-write -c model_reasoning_effort="low" resume ${id} -`,
  ]);
});

test("outside a git repository it works as well", async () => {
  await using project = await codexProject("write-file-complete");
  project.remove(".git");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(project.read("hello.txt")).not.toBeNull();
});

test("a prompt of 300 kB that begins with a dash arrives whole", async () => {
  await using project = await codexProject("plain-text");
  project.write(".ralph/PROMPT.md", `--- ${"long ".repeat(60_000)}\nThe end of it.\n`);
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 1 });
  expect(project.model.requests()[0]?.prompt).toContain("The end of it.");
});

test("plain text is an answer too", async () => {
  await using project = await codexProject("plain-text");
  const ended = await project.run(["run", "--output-format", "text", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 1 });
  expect(project.journal().of("iteration_finished")[0]?.analysis.status).toBe("IN_PROGRESS");
});

test.each([
  ["usage-limit", "usage_limit", 1],
  ["rate-limit", "rate_limit", 4],
] as const)("the limit of %s ends the run when nobody wants to wait", async (scenario, kind, most) => {
  await using project = await codexProject(scenario);
  const ended = await project.run(["run", "--on-limit", "stop"]);
  const requests = project.model.requests().length;
  expect(requests).toBeLessThanOrEqual(most);
  expectEnd(project, ended, "usage_limit", { iterations: 0, requests });
  expect(project.journal().of("agent_limit")).toMatchObject([{ kind }]);
});

test("a login that fails is a person's affair: the command stands in the sentence", async () => {
  await using project = await codexProject("auth-failure");
  const ended = await project.run(["run"]);
  expect([ended.exitCode, project.status().exit_reason]).toEqual([6, "authentication"]);
  expect(ended.stdout).toContain("Log in with: codex login");
});

// Codex prints no event at all for a command that its sandbox refused.
test("what the sandbox forbids is not done, and the agent goes on: a commit", async () => {
  await using project = await codexProject("commit");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(project.journal().of("iteration_finished")).toMatchObject([
    { outcome: "answered", evidence: { commits: [], files_changed: ["README.md"] } },
  ]);
});

test("a thread that Codex does not know is dropped, and the call repeated once without it", async () => {
  await using project = await codexProject("four-answers");
  await expectDroppedSession(project, randomUUID());
});

test.concurrent("a stream that is cut is a failure of the infrastructure: a pause, and on in the same thread", async () => {
  await using project = await codexProject("truncated-thrice-then-ok");
  const ended = await project.run(["run", "--max-iterations", "2"]);
  expect(ended.exitCode).toBe(4);
  const journal = project.journal();
  expect(journal.of("agent_finished")[0]).toMatchObject({ ok: false, error: { class: "infrastructure" } });
  expect(journal.of("agent_retry")[0]).toMatchObject({ attempt: 1 });
  expect(journal.of("wait_started")[0]?.why).toBe("failure");
  expect(journal.of("iteration_started")[1]?.resume).toBe(journal.of("agent_session")[0]?.session_id ?? "none");
  expect(journal.gaps()).toEqual([]);
});

test.concurrent("an agent that falls silent is ended at the timeout, and goes on in its thread", async () => {
  await using project = await codexProject("stall-then-ok");
  const ended = await project.run(["run", "--timeout", "4s", "--max-iterations", "2"]);
  expectEnd(project, ended, "max_iterations", { iterations: 2, requests: 2 });
  const journal = project.journal();
  expect(journal.of("agent_finished").map(({ outcome }) => outcome)).toEqual(["timed_out", "ok"]);
  expect(journal.of("iteration_started")[1]?.resume).toBe(journal.of("agent_session")[0]?.session_id ?? "none");
});

test.concurrent("without a network the agent waits without end: at the timeout it is offline, not slow", async () => {
  await using project = await codexProject("plain-text");
  await project.model[Symbol.asyncDispose]();
  const ralph = project.start(["run", "--timeout", "5s"]);
  await until(() => project.hasJournal() && project.journal().of("wait_started").length > 0);
  ralph.signal("SIGTERM");
  await ralph.ended;
  expect(project.journal().of("agent_finished")).toMatchObject([{ error: { class: "offline" } }]);
  expect(project.journal().of("iteration_finished")[0]?.breaker).toMatchObject({ no_progress: 0 });
});

describe.if(process.platform === "linux")("while a shell tool of the agent runs", () => {
  test("SIGTERM ends the run and everything below it, and the next run goes on in the thread", async () => {
    await using project = await codexProject("long-shell");
    const ralph = project.start(["run"]);
    await until(() => project.read("shell.pid")?.endsWith("\n") === true);
    const [agent] = project.journal().of("agent_started");
    const marker = agent?.marker ?? "none";
    expect(pidsWith("RALPH_RUN", marker).length).toBeGreaterThan(1);
    ralph.signal("SIGTERM");
    const ended = await ralph.ended;
    expectEnd(project, ended, "terminated", { requests: 1 });
    expect([isRunning(agent?.pid ?? 0), pidsWith("RALPH_RUN", marker)]).toEqual([false, []]);
    await expectNextGoesOn(project);
  });
});

test("an import reads in the sandbox that only reads, and repairs in the same thread", async () => {
  await using project = await codexProject("import");
  await expectImport(project, "codex");
  const argvs = project
    .journal()
    .of("agent_started")
    .map(({ argv }) => argv.join(" "));
  expect(argvs.every((argv) => argv.includes("--sandbox read-only"))).toBe(true);
  expect(new Set(sessions(project)).size).toBe(1);
});
