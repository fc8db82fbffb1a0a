/** The session that a call resumes, and the command line of the call. */
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type ClaudeProject, claudeProject } from "./claude-project.ts";
import { expectDroppedSession, expectModels, sessions } from "./every-agent.ts";
import { expectEnd } from "./expectations.ts";

const argvs = (project: ClaudeProject) =>
  project
    .journal()
    .of("agent_started")
    .map(({ argv }) => argv);

test("the next run resumes the previous run's session", async () => {
  await using project = await claudeProject("four-answers");
  await project.run(["run", "--max-iterations", "1"]);
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expectEnd(project, ended, "max_iterations", { requests: 2 });
  const [first, second] = sessions(project);
  expect(second).toBe(first ?? "none");
  expect(project.journal().of("iteration_started")[0]?.resume).toBe(first ?? "none");
  expect(project.read(".ralph/.claude_session_id")).toContain(first ?? "none");
});

test("each call of a conversation is told the loop's facts of its own iteration, and counts its own usage", async () => {
  await using project = await claudeProject("four-answers");
  await project.run(["run", "--max-iterations", "3"]);
  const bodies = project.model.requests().map((request) => project.model.body(request));
  const isTold = (body: string, index: number) => body.includes(`Iteration ${index + 1} of an unattended loop`);
  expect(bodies.map(isTold)).toEqual([true, true, true]);
  const used = project.journal().of("iteration_finished");
  const [first] = used.map(({ usage }) => usage);
  expect(used).toHaveLength(3);
  for (const { usage } of used) {
    expect(usage).toMatchObject({ input_tokens: first?.input_tokens, output_tokens: first?.output_tokens });
    expect(usage.cost_usd).toBeCloseTo(first?.cost_usd ?? Number.NaN, 9);
  }
});

test("with --no-continue every call starts a new session", async () => {
  await using project = await claudeProject("four-answers");
  const ended = await project.run(["run", "--no-continue", "--max-iterations", "2"]);
  expect(ended.exitCode).toBe(4);
  expect(new Set(sessions(project)).size).toBe(2);
  expect(argvs(project).flat()).not.toContain("--resume");
});

describe("a session that Claude Code does not know", () => {
  const ids = { "by a file that somebody edited": randomUUID(), "of another agent": "ses_0123456789abcdef" };
  for (const [name, id] of Object.entries(ids)) {
    test(`${name} is dropped, and the call repeated once without it`, async () => {
      await using project = await claudeProject("four-answers");
      await expectDroppedSession(project, id);
      expect(project.read(".ralph/.claude_session_id")).toContain(sessions(project)[1] ?? "none");
    });
  }
});

test("plain text is an answer too, and its session is resumed", async () => {
  await using project = await claudeProject("two-tasks-to-complete");
  const ended = await project.run(["run", "--output-format", "text"]);
  expectEnd(project, ended, "project_complete", { iterations: 2, requests: 5 });
  expect(argvs(project)[1]).toContain("--resume");
  expect(new Set(sessions(project)).size).toBe(1);
  const verdicts = project.journal().of("iteration_finished");
  expect(verdicts.map(({ analysis }) => [analysis.status, analysis.exit_signal])).toEqual([
    ["COMPLETE", false],
    ["COMPLETE", true],
  ]);
});

test("a tool pattern with commas in parentheses stays one argument", async () => {
  await using project = await claudeProject("plain-text");
  const tools = ["Read", "Bash(git log --format=a,b *)", "Write"];
  await project.run(["run", "--allowed-tools", tools.join(","), "--max-iterations", "1"]);
  const [argv = []] = argvs(project);
  const at = argv.indexOf("--allowedTools") + 1;
  expect(argv.slice(at, at + tools.length)).toEqual(tools);
  expect(argv[at + tools.length]).toStartWith("--");
});

test.if(process.getuid?.() === 0)(
  "root is told before anything is written or asked that Claude Code will refuse",
  async () => {
    await using project = await claudeProject("plain-text");
    const ended = await project.run(["run"], { IS_SANDBOX: null });
    expect(ended).toMatchObject({ exitCode: 7, stdout: "" });
    expect(ended.stderr).toContain("refuses the permission mode bypassPermissions when it runs as root");
    expect(ended.stderr).toContain("IS_SANDBOX=1");
    expect(project.read(".ralph/status.json")).toBeNull();
    expect(project.model.requests()).toEqual([]);
    const allowed = await project.run(["run", "--permission-mode", "acceptEdits", "--max-iterations", "1"], {
      IS_SANDBOX: null,
    });
    expect(allowed.exitCode).toBe(4);
  },
);

describe.if(process.platform !== "win32")("a Claude Code below the driver's minimum version", () => {
  const note = "Claude Code 1.9.3 is older than 2.0.76, the oldest version that ralph knows.";

  /** A `claude` that reports an old version and logs its calls. */
  function oldClaude(project: ClaudeProject): { path: string; asked: () => number; env: Record<string, string> } {
    const real = Bun.which("claude") ?? "claude";
    const folder = join(project.folder, ".ralph", "bin");
    const log = join(folder, "asked");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "claude");
    project.write(
      ".ralph/bin/claude",
      `#!/bin/sh\nif [ "$1" = --version ]; then echo x >> '${log}'; echo '1.9.3 (Claude Code)'; else exec '${real}' "$@"; fi\n`,
    );
    chmodSync(path, 0o755);
    return {
      path,
      asked: () => readFileSync(log, "utf8").trim().split("\n").length,
      env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    };
  }

  test("causes a warning beside the first call, and is asked again only if its file changes", async () => {
    await using project = await claudeProject("four-answers");
    const claude = oldClaude(project);
    const first = await project.run(["run", "--max-iterations", "1"], claude.env);
    const { events } = project.journal();
    const told = events.find((event) => event.type === "note" && event.level === "warn");
    expect(told).toMatchObject({ text: expect.stringContaining(note) });
    expect(told?.seq).toBeGreaterThan(events.find(({ type }) => type === "agent_started")?.seq ?? Number.NaN);
    expect(first).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("1.9.3 is older than 2.0.76") });

    await project.run(["run", "--max-iterations", "1"], claude.env);
    expect(project.journal().of("note")).toMatchObject([{ text: expect.stringContaining(note) }]);
    expect(claude.asked()).toBe(1);

    utimesSync(claude.path, 1_000_000, 1_000_000);
    await project.run(["run", "--max-iterations", "1"], claude.env);
    expect(claude.asked()).toBe(2);
    expect(project.model.requests()).toHaveLength(3);
  });

  test("causes no warning if the user accepts its version", async () => {
    await using project = await claudeProject("plain-text");
    const env = { ...oldClaude(project).env, CLAUDE_MIN_VERSION: "1.0" };
    await project.run(["run", "--max-iterations", "1"], env);
    expect(project.journal().of("note")).toEqual([]);
  });
});

test("Claude Code names its models", async () => {
  await using project = await claudeProject("four-answers");
  await expectModels(project, "claude-code", /^[a-z][\w.-]+$/);
});
