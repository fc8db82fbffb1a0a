import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentProject } from "./agent-project.ts";
import {
  expectDroppedSession,
  expectModels,
  expectNextGoesOn,
  expectShutIn,
  expectThreeIterations,
  sessions,
} from "./every-agent.ts";
import { expectEnd, isRunning, pidsWith, until } from "./expectations.ts";
import { expectImport } from "./import-expectations.ts";
import { journals } from "./journal.ts";

/**
 * Points Codex at the mock model, with one retry of each kind. Codex starts its sandbox through links in its home, but
 * refuses to make them below the temporary folder, where a test's home is. So it gets another temporary folder.
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
env_key = "OPENAI_MOCK_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
  writeFileSync(join(folder, "config.toml"), config);
  return { CODEX_HOME: folder, TMPDIR: temporary, OPENAI_MOCK_KEY: "dummy-key", PLATFORM_DRIVER: "codex" };
}

const codexProject = (scenario: string) => agentProject(scenario, pointedAt);

test("three iterations reach project_complete in one thread, with the claimed files", async () => {
  await using project = await codexProject("three-to-complete");
  const { journal, id } = await expectThreeIterations(project, ["--effort", "low"]);
  expect(journal.of("agent_started").map(({ argv }) => argv.slice(1).join(" "))).toEqual([
    'exec --json --sandbox workspace-write -c model_reasoning_effort="low" -',
    `exec --json --sandbox workspace-write -c model_reasoning_effort="low" resume ${id} -`,
    `exec --json --sandbox workspace-write -c model_reasoning_effort="low" resume ${id} -`,
  ]);
});

test("Codex works outside a git repository too", async () => {
  await using project = await codexProject("write-file-complete");
  project.remove(".git");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(project.read("hello.txt")).not.toBeNull();
});

test("a prompt of 300 kB that starts with a dash arrives complete", async () => {
  await using project = await codexProject("plain-text");
  project.write(".ralph/PROMPT.md", `--- ${"long ".repeat(60_000)}\nThe end of it.\n`);
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 1 });
  expect(project.model.requests()[0]?.prompt).toContain("The end of it.");
});

test("Codex's plain text is an answer too", async () => {
  await using project = await codexProject("plain-text");
  const ended = await project.run(["run", "--output-format", "text", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 1 });
  expect(project.journal().of("iteration_finished")[0]?.analysis.status).toBe("IN_PROGRESS");
});

test.each([
  ["usage-limit", "usage_limit", 1],
  ["rate-limit", "rate_limit", 4],
] as const)("a %s ends the run if the user does not wait", async (scenario, kind, most) => {
  await using project = await codexProject(scenario);
  const ended = await project.run(["run", "--on-limit", "stop"]);
  const requests = project.model.requests().length;
  expect(requests).toBeLessThanOrEqual(most);
  expectEnd(project, ended, "usage_limit", { iterations: 0, requests });
  expect(project.journal().of("agent_limit")).toMatchObject([{ kind }]);
});

test("a failed login ends the run, and its sentence names the login command", async () => {
  await using project = await codexProject("auth-failure");
  const ended = await project.run(["run"]);
  expect([ended.exitCode, project.status().exit_reason]).toEqual([6, "authentication"]);
  expect(ended.stdout).toContain("Log in with: codex login");
});

// Codex prints no event at all for a command that its sandbox refused.
test("the sandbox prevents a commit, and the agent goes on", async () => {
  await using project = await codexProject("commit");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(project.journal().of("iteration_finished")).toMatchObject([
    { outcome: "answered", evidence: { commits: [], files_changed: ["README.md"] } },
  ]);
});

test("a thread that Codex does not know is dropped, and the call is repeated once without it", async () => {
  await using project = await codexProject("four-answers");
  await expectDroppedSession(project, randomUUID());
});

test.concurrent("after a truncated stream, an infrastructure failure, the run pauses and goes on in the same thread", async () => {
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

test.concurrent("an agent that goes silent is ended at the timeout, and its thread is resumed", async () => {
  await using project = await codexProject("stall-then-ok");
  const ended = await project.run(["run", "--timeout", "4s", "--max-iterations", "2"]);
  expectEnd(project, ended, "max_iterations", { iterations: 2, requests: 2 });
  const journal = project.journal();
  expect(journal.of("agent_finished").map(({ outcome }) => outcome)).toEqual(["timed_out", "ok"]);
  expect(journal.of("iteration_started")[1]?.resume).toBe(journal.of("agent_session")[0]?.session_id ?? "none");
});

test.concurrent("what a call had used that its timeout ended is known at once, and counted once", async () => {
  await using project = await codexProject("stall-after-a-file");
  const ended = await project.run(["run", "--timeout", "6s", "--max-iterations", "2"]);
  expectEnd(project, ended, "max_iterations", { iterations: 2, requests: 3 });
  const used = project.journal().of("iteration_finished");
  expect(used.map(({ outcome, usage }) => [outcome, usage.input_tokens, usage.output_tokens])).toEqual([
    ["timed_out", 1000, 50],
    ["answered", 1000, 50],
  ]);
});

test.if(process.platform === "linux")("what a call had used that was killed with ralph is known then", async () => {
  await using project = await codexProject("two-shells");
  const ralph = project.start(["run"]);
  await until(() => project.read("shell.pid") !== null);
  ralph.signal("SIGKILL");
  await ralph.ended;
  await project.run(["run", "--max-iterations", "1"]);
  const used = journals(project.folder).map((journal) => journal.of("agent_usage").map((one) => one.input_tokens));
  // Its thread forgets the request whose tool was running.
  expect(used).toEqual([[1000], [1000]]);
});

test.concurrent("an agent that waits for the network is offline at the timeout, not slow", async () => {
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
  test("SIGTERM ends the run and everything below it, and the next run resumes the thread", async () => {
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

test("an import runs in the read-only sandbox and repairs in the same thread", async () => {
  await using project = await codexProject("import");
  await expectImport(project, "codex");
  const argvs = project
    .journal()
    .of("agent_started")
    .map(({ argv }) => argv.join(" "));
  expect(argvs.every((argv) => argv.includes("--sandbox read-only"))).toBe(true);
  expect(new Set(sessions(project)).size).toBe(1);
});

test.if(process.platform === "linux")("in bubblewrap, Codex works on the project and nowhere else", async () => {
  await using project = await codexProject("plan-by-tools");
  await expectShutIn(project);
});

test("names its models", async () => {
  await using project = await codexProject("three-to-complete");
  await expectModels(project, "codex", /^[a-z][\w.-]+$/);
});
