/** The compiled program drives the Copilot CLI. */
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { testFolder } from "../folders.ts";
import { type CopilotProject, copilotProject } from "./copilot-project.ts";
import { busyRun, expectDroppedSession, expectModels, expectShutIn, expectTerminated } from "./every-agent.ts";
import { expectEnd } from "./expectations.ts";
import { expectImport } from "./import-expectations.ts";
import { type Journal, journals } from "./journal.ts";

const cache = testFolder("copilot-cache");

const argvs = (project: CopilotProject) =>
  project
    .journal()
    .of("agent_started")
    .map(({ argv }) => argv);

describe("Copilot", () => {
  test("answers from the native program with one request, and its session's file tells the tokens", async () => {
    await using project = await copilotProject("plain-text", cache);
    const ended = await project.run(["run", "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 1 });
    const [iteration] = project.journal().of("iteration_finished");
    expect(iteration).toMatchObject({
      outcome: "answered",
      analysis: { status: "IN_PROGRESS", recommendation: "Start with the first open task" },
      usage: { input_tokens: 1200, output_tokens: 90, cost_usd: null, turns: 1, model: "mock-model" },
    });
    expect(argvs(project)[0]?.[0]).toMatch(/copilot-[a-z0-9]+-[a-z0-9]+/);
    expect(project.journal().of("agent_finished")).toMatchObject([{ unknown_events: 0, exit_code: 0 }]);
    expect(project.journal().of("note")).toEqual([]);
  });

  test("gets a prompt of 300 kB that starts with front matter complete", async () => {
    await using project = await copilotProject("plain-text", cache);
    project.write(".ralph/PROMPT.md", `---\ntitle: -p\n---\n${"All work and no play. ".repeat(13_700)}The end.\n`);
    const ended = await project.run(["run", "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 1 });
    expect(project.model.requests()[0]?.prompt).toEndWith("The end.");
  });

  test("completes the work in three iterations of one session", async () => {
    await using project = await copilotProject("three-tasks-to-complete", cache);
    const ended = await project.run(["run", "--max-iterations", "5"]);
    expectEnd(project, ended, "project_complete", { iterations: 3, requests: 6 });
    expect(["one", "two", "three"].map((name) => project.read(`${name}.txt`))).toEqual(["1\n", "2\n", "3\n"]);
    const [first = [], second = [], third = []] = argvs(project);
    const session = first[first.indexOf("--session-id") + 1] ?? "none";
    expect([second.at(-1), third.at(-1)]).toEqual([`--resume=${session}`, `--resume=${session}`]);
    // The conversation that the model sees keeps growing.
    const lengths = project.model.requests().map(({ messages }) => messages);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(6);
    const tools = project.journal().of("agent_tool_started");
    expect(tools.map(({ tool }) => tool)).toEqual(["Write", "Write", "Write"]);
  });

  test("can print plain text, and its session is resumed", async () => {
    await using project = await copilotProject("three-tasks-to-complete", cache);
    const ended = await project.run(["run", "--output-format", "text", "--max-iterations", "2"]);
    expectEnd(project, ended, "max_iterations", { iterations: 2, requests: 4 });
    const found = project.journal().of("iteration_finished");
    expect(found.map(({ analysis }) => analysis.status)).toEqual(["IN_PROGRESS", "COMPLETE"]);
    expect(argvs(project)[1]?.at(-1)).toStartWith("--resume=");
  });
});

describe("the tokens of Copilot", () => {
  const tokens = (journal: Journal | undefined) => {
    const told = journal?.of("agent_usage") ?? [];
    return told.reduce((sum, { input_tokens, output_tokens }) => sum + (input_tokens ?? 0) + (output_tokens ?? 0), 0);
  };

  test("are those of each call in one session, and MAX_TOKENS ends the run", async () => {
    await using project = await copilotProject("three-tasks-to-complete", cache);
    const ended = await project.run(["run", "--max-tokens", "3000", "--max-iterations", "5"]);
    expectEnd(project, ended, "max_tokens", { iterations: 2, requests: 4 });
    expect(tokens(project.journal())).toBe(4 * 1050);
    expect(ended.stdout + ended.stderr).not.toContain("does not report");
  });

  test("are known of plain text, and of a call that its timeout ended", async () => {
    await using project = await copilotProject("stall-after-a-file", cache);
    await project.run(["run", "--output-format", "text", "--timeout", "6s", "--max-iterations", "1"]);
    expect(project.journal().of("agent_finished")).toMatchObject([{ outcome: "timed_out" }]);
    expect(tokens(project.journal())).toBe(1050);
  });

  test.if(process.platform === "linux")("are known of a call that was killed with ralph", async () => {
    await using project = await copilotProject("long-shell", cache);
    const { ralph } = await busyRun(project);
    ralph.signal("SIGKILL");
    await ralph.ended;
    expect(tokens(project.journal())).toBe(0);
    await project.run(["run", "--max-iterations", "1"]);
    expect(journals(project.folder).map(tokens)).toEqual([1050, 1050]);
  });
});

describe("a refusal of Copilot", () => {
  test("by a limit ends the run if the user does not wait, and counts nowhere", async () => {
    await using project = await copilotProject("usage-limit", cache);
    const ended = await project.run(["run", "--on-limit", "stop"]);
    expectEnd(project, ended, "usage_limit", { iterations: 0, requests: 1 });
    expect(project.journal().of("agent_limit")).toMatchObject([{ kind: "usage_limit" }]);
  });

  test("by a failed login ends the run", async () => {
    await using project = await copilotProject("auth-failure", cache);
    const ended = await project.run(["run"]);
    expectEnd(project, ended, "authentication", { requests: 3 });
    expect(ended.stdout).toContain("Log in with: copilot login");
  });

  test("by a missing login ends the run without a request", async () => {
    await using project = await copilotProject("plain-text", cache);
    const ended = await project.run(["run"], { COPILOT_PROVIDER_BASE_URL: null, COPILOT_OFFLINE: null });
    expectEnd(project, ended, "authentication", { requests: 0 });
  });

  test("by a denied write is reported, and the loop goes on", async () => {
    await using project = await copilotProject("denied-every-time", cache);
    const ended = await project.run(["run", "--permission-mode", "default", "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 2 });
    expect(project.journal().of("iteration_finished")[0]?.analysis).toMatchObject({
      has_permission_denials: true,
      denied_commands: ["Write"],
    });
    expect(project.read("denied.txt")).toBeNull();
  });

  test("by an unknown session drops it, and the call is repeated once without it", async () => {
    await using project = await copilotProject("four-answers", cache);
    await expectDroppedSession(project, randomUUID());
  });
});

describe("an interruption of Copilot", () => {
  test("by repeatedly truncated streams is an infrastructure failure and does not move the breaker", async () => {
    await using project = await copilotProject("truncated-stream", cache);
    const ended = await project.run(["run", "--max-iterations", "1"]);
    expect(ended.exitCode).toBe(4);
    expect(project.journal().of("agent_finished")).toMatchObject([{ ok: false, error: { class: "infrastructure" } }]);
    expect(project.journal().of("agent_retry").length).toBeGreaterThan(0);
    expect(JSON.parse(project.read(".ralph/.circuit_breaker_state") ?? "{}")).toMatchObject({
      state: "CLOSED",
      consecutive_no_progress: 0,
    });
    expect(project.journal().gaps()).toEqual([]);
  });

  test("by the timeout ends a stall, and the next iteration resumes the session", async () => {
    await using project = await copilotProject("stall-after-a-file", cache);
    const ended = await project.run(["run", "--timeout", "6s", "--max-iterations", "2"]);
    expectEnd(project, ended, "max_iterations", { iterations: 2, requests: 3 });
    expect(project.journal().of("agent_finished")[0]).toMatchObject({ outcome: "timed_out", ok: false, error: null });
    expect(project.journal().of("iteration_finished")).toMatchObject([
      { outcome: "timed_out", evidence: { files_changed: ["one.txt"] } },
      { outcome: "answered" },
    ]);
    const [first = [], second = []] = argvs(project);
    expect(second.at(-1)).toBe(`--resume=${first[first.indexOf("--session-id") + 1]}`);
  });

  test.if(process.platform === "linux")("by SIGTERM during a shell tool leaves no process alive", async () => {
    await using project = await copilotProject("long-shell", cache);
    await expectTerminated(project, await busyRun(project));
  });
});

test("an import runs without tools that write and repairs in the same session", async () => {
  await using project = await copilotProject("import", cache);
  await expectImport(project, "copilot");
});

test.if(process.platform === "linux")("in bubblewrap, Copilot works on the project and nowhere else", async () => {
  await using project = await copilotProject("plan-by-shell", cache);
  // Its tool for new files overwrites none.
  await expectShutIn(project, 8);
  expect(project.journal().of("run_finished")[0]?.usage).toMatchObject({ input_tokens: 8000, output_tokens: 400 });
});

test("Copilot names its models", async () => {
  await using project = await copilotProject("plain-text", cache);
  await expectModels(project, "copilot", /^[a-z][\w.-]+$/);
});
