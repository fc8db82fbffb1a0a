import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentProject } from "./agent-project.ts";
import {
  busyRun,
  expectDroppedSession,
  expectModels,
  expectNextGoesOn,
  expectShutIn,
  expectTerminated,
  expectThreeIterations,
  sessions,
} from "./every-agent.ts";
import { expectEnd } from "./expectations.ts";
import { expectImport } from "./import-expectations.ts";

/** Points OpenCode at the mock model and keeps it from downloading anything. */
function pointedAt(url: string, home: string): Record<string, string> {
  const model = { name: "Mock model", limit: { context: 200000, output: 8192 }, cost: { input: 1, output: 2 } };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "mock/mock-model",
    small_model: "mock/mock-model",
    // --auto approves every question; without it, questions are refused.
    permission: { edit: "ask", bash: "ask" },
    provider: {
      mock: {
        npm: "@ai-sdk/openai-compatible",
        name: "Mock",
        options: { baseURL: `${url}/v1`, apiKey: "dummy-key" },
        models: { "mock-model": model },
      },
    },
  };
  const file = join(home, "opencode.json");
  writeFileSync(file, JSON.stringify(config));
  return {
    PLATFORM_DRIVER: "opencode",
    OPENCODE_CONFIG: file,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
}

const opencodeProject = (scenario: string) => agentProject(scenario, pointedAt);

test("three iterations reach project_complete in one session, with the claimed files", async () => {
  await using project = await opencodeProject("three-to-complete");
  const { journal, id } = await expectThreeIterations(project);
  expect(journal.of("run_finished")[0]?.cost_usd).toBeCloseTo(0.0066);
  expect(journal.of("agent_started")[2]?.argv.slice(1).join(" ")).toBe(
    `run --format json --print-logs --log-level ERROR --agent build --auto --session ${id}`,
  );
});

test("works in the worktree of its run, though PWD names the checkout", async () => {
  await using project = await opencodeProject("shell-complete");
  const ended = await project.run(["run", "--worktree=apart", "--max-iterations", "1"], { PWD: project.folder });
  expect(ended.exitCode).toBe(4);
  expect(project.read("shell.txt")).toBeNull();
  expect(project.read(".ralph/worktrees/apart/shell.txt")).not.toBeNull();
});

test.concurrent("a failed login ends the run, and its sentence names the login command", async () => {
  await using project = await opencodeProject("auth-failure");
  const ended = await project.run(["run"]);
  expect([ended.exitCode, project.status().exit_reason]).toEqual([6, "authentication"]);
  expect(ended.stdout).toContain("Log in with: opencode auth login");
});

test.concurrent("a denied write ends the agent's turn without an answer, and halts the run in halt mode", async () => {
  await using project = await opencodeProject("denied-every-time");
  const ended = await project.run(["run", "--permission-mode", "default", "--on-denial", "halt"]);
  expectEnd(project, ended, "permission_denied", { requests: 1 });
  expect(project.journal().of("iteration_finished")[0]?.analysis).toMatchObject({ denied_commands: ["Write"] });
  expect(project.read("denied.txt")).toBeNull();
  expect(ended.stdout).toContain("Denied: Write, in mode default (--permission-mode)");
});

test.concurrent("a session that OpenCode does not know is dropped, and the call is repeated once without it", async () => {
  await using project = await opencodeProject("four-answers");
  await expectDroppedSession(project, "ses_0123456789abcdef0123456789");
});

test.concurrent("a limit of the rate ends the run after the CLI's own retries if the user does not wait", async () => {
  await using project = await opencodeProject("rate-limit");
  const ended = await project.run(["run", "--on-limit", "stop"]);
  expect([ended.exitCode, project.status().exit_reason]).toEqual([5, "api_5hour_limit"]);
  expect(project.journal().of("agent_limit")).toMatchObject([{ kind: "rate_limit" }]);
});

test.concurrent("a limit of the plan, which OpenCode waits for silently, is recognised at the timeout", async () => {
  await using project = await opencodeProject("usage-limit");
  const ended = await project.run(["run", "--on-limit", "stop", "--timeout", "50s"]);
  expectEnd(project, ended, "usage_limit", { iterations: 0, requests: 1 });
  expect(project.journal().of("agent_limit")).toMatchObject([{ message: "The usage limit has been reached" }]);
});

test.concurrent("an unknown model ends the run, and the sentence names it", async () => {
  await using project = await opencodeProject("plain-text");
  const ended = await project.run(["run", "--model", "nobody/nothing"]);
  expect([ended.exitCode, project.status().exit_reason]).toEqual([7, "model_unavailable"]);
  expect(ended.stdout).toContain("Model not found: nobody/nothing");
});

test.concurrent("a prompt that is too long even as a summary ends the call, which OpenCode would repeat forever", async () => {
  await using project = await opencodeProject("context-overflow");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expect(ended.exitCode).toBe(4);
  expect(project.journal().of("agent_finished")).toMatchObject([{ outcome: "failed", error: { class: "context" } }]);
  expect(project.journal().of("reset")).toMatchObject([{ what: "session", reason: "api_error" }]);
});

test.concurrent("the CLI itself repeats the request of a truncated stream", async () => {
  await using project = await opencodeProject("truncated-then-ok");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  expect(project.journal().of("iteration_finished")).toMatchObject([{ outcome: "answered" }]);
});

test.concurrent("an error inside the stream is told in its own words", async () => {
  await using project = await opencodeProject("refused-in-stream");
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 1 });
  expect(ended.stdout).toContain("The call failed: The gizmo was refused.\n");
});

test.concurrent("an agent that goes silent is ended at the timeout, and its session is resumed", async () => {
  await using project = await opencodeProject("stall-after-a-file");
  const ended = await project.run(["run", "--timeout", "50s", "--max-iterations", "1"]);
  expect(ended.exitCode).toBe(4);
  const journal = project.journal();
  expect(journal.of("agent_finished")).toMatchObject([{ outcome: "timed_out", ok: false }]);
  expect(journal.of("iteration_finished")[0]?.evidence.files_changed).toEqual(["one.txt"]);
  expect(project.read(".ralph/.claude_session_id")).toContain(journal.of("agent_session")[0]?.session_id ?? "none");
});

describe.if(process.platform === "linux")("while a shell tool of the agent runs", () => {
  test("SIGTERM ends the run and everything below it, and the next run resumes the session", async () => {
    await using project = await opencodeProject("long-shell");
    await expectTerminated(project, await busyRun(project, 60_000));
    await expectNextGoesOn(project);
  });
});

test("an import runs with the read-only agent and repairs in the same session", async () => {
  await using project = await opencodeProject("import");
  await expectImport(project, "opencode");
  expect(new Set(sessions(project)).size).toBe(1);
});

test.if(process.platform === "linux")("in bubblewrap, OpenCode works on the project and nowhere else", async () => {
  await using project = await opencodeProject("plan-by-tools");
  await expectShutIn(project);
});

test("names its models", async () => {
  await using project = await opencodeProject("three-to-complete");
  await expectModels(project, "opencode", /^[^\s/]+\/\S+$/);
});
