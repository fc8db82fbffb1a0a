/** The compiled program with a program that prints Cursor's documented output. */
import { describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../agents/scripted.ts";
import { type Project, project } from "../support/harness.ts";
import { installAgent } from "../support/scripted-agent.ts";

const SESSION = "6f2f5c0e-3a53-4d3b-9c53-6f0c1d5b7a11";

const lines = (...events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const init = { type: "system", subtype: "init", apiKeySource: "login", session_id: SESSION, model: "Auto" };
const says = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
  session_id: SESSION,
  ...more,
});
const tool = (subtype: string, tool_call: object) => ({ type: "tool_call", subtype, call_id: "c1", tool_call });
const result = (text: string) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 40,
  result: text,
});

function block(status: string, exit: boolean): string {
  const fields = { STATUS: status, WORK_TYPE: "IMPLEMENTATION", TESTS_STATUS: "PASSING", EXIT_SIGNAL: exit };
  const body = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  return ["---RALPH_STATUS---", ...body, "---END_RALPH_STATUS---"].join("\n");
}

/** A turn that writes a file and then answers. The final event joins its two texts, as the CLI does. */
function writes(path: string, status: string, exit: boolean): Step {
  const args = { path, fileText: "1\n" };
  const answer = block(status, exit);
  const stdout = lines(
    init,
    { type: "user", message: { role: "user", content: [] }, session_id: SESSION },
    says("I write it.", { model_call_id: "m1", timestamp_ms: 1 }),
    tool("started", { writeToolCall: { args } }),
    tool("completed", { writeToolCall: { args, result: { success: { path, linesCreated: 1 } } } }),
    says(answer),
    result(`I write it.${answer}`),
  );
  return { files: { [path]: "1\n" }, stdout };
}

/** A project with `cursor-agent` on the PATH; its `status` prints the given text. */
function cursorProject(steps: readonly Step[], status = "Logged in"): Project {
  const where = project({ steps, env: { PLATFORM_DRIVER: "cursor" } });
  const bin = join(where.dir, "..", "bin");
  installAgent(bin, "plays", join(bin, "..", "agent"));
  const isWindows = process.platform === "win32";
  const program = join(bin, isWindows ? "cursor-agent.cmd" : "cursor-agent");
  const script = isWindows
    ? `@if "%1"=="status" (echo ${status}& exit /b)\r\n@"${join(bin, "plays.cmd")}" %*\r\n`
    : `#!/bin/sh\nif [ "$1" = status ]; then echo '${status}'; else exec '${join(bin, "plays")}' "$@"; fi\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return where;
}

describe("Cursor", () => {
  test("works to the end in one session, its prompt on stdin after the context", async () => {
    const where = cursorProject([writes("one.txt", "COMPLETE", false), writes("two.txt", "COMPLETE", true)]);
    const { exit, stderr } = await where.ralph("run", "--max-iterations", "4");
    expect({ exit, stderr }).toMatchObject({ exit: 0 });
    expect(where.event("run_finished")).toMatchObject({ stop_reason: "project_complete", iterations: 2 });
    const flags = ["-p", "--force", "--output-format", "stream-json"];
    expect(where.calls().map(({ argv }) => argv)).toEqual([flags, [...flags, "--resume", SESSION]]);
    expect(where.calls()[0]?.stdin).toMatch(/^Iteration 1 of .*\n\nDo the next task\.\n$/);
    const events = where.events();
    const texts = events.flatMap((event) => (event.type === "agent_text" ? [event.text.split("\n")[0]] : []));
    expect(texts.slice(0, 2)).toEqual(["I write it.", "---RALPH_STATUS---"]);
    const tools = events.flatMap((event) => (event.type === "agent_tool_started" ? [[event.tool, event.input]] : []));
    expect(tools[0]).toEqual(["Write", { file_path: "one.txt", content: "1\n" }]);
    expect(where.event("agent_finished")).toMatchObject({ ok: true, unknown_events: 0 });
  });

  test("may stream in pieces, and each block is recorded once", async () => {
    const answer = block("IN_PROGRESS", false);
    const stdout = lines(
      init,
      ...["Hel", "lo\n", answer].map((text) => says(text, { timestamp_ms: 1 })),
      says(`Hello\n${answer}`),
      result(`Hello\n${answer}`),
    );
    const where = cursorProject([{ stdout }]);
    await where.ralph("run", "--max-iterations", "1");
    const texts = where.events().flatMap((event) => (event.type === "agent_text" ? [event.text] : []));
    expect(texts).toEqual([`Hello\n${answer}`]);
    expect(where.event("iteration_finished")?.analysis.status).toBe("IN_PROGRESS");
  });

  test("answers in plain text as well", async () => {
    const where = cursorProject([{ stdout: `Done.\n${block("COMPLETE", false)}\n` }]);
    await where.ralph("run", "--output-format", "text", "--max-iterations", "1");
    expect(where.calls()[0]?.argv).toEqual(["-p", "--force", "--output-format", "text"]);
    expect(where.event("iteration_finished")?.analysis.status).toBe("COMPLETE");
  });

  test("the tokens that it tells count towards a bound", async () => {
    const usage = { inputTokens: 300, outputTokens: 20, cacheReadTokens: 700, cacheWriteTokens: 0 };
    const step = { files: { "a.txt": "1\n" }, stdout: lines(init, says("On."), { ...result("On."), usage }) };
    const where = cursorProject([step, step, step]);
    const { exit } = await where.ralph("run", "--max-tokens", "1000", "--max-iterations", "3");
    expect([where.event("run_finished")?.stop_reason, exit, where.calls().length]).toEqual(["max_tokens", 4, 1]);
  });
});

describe("what Cursor is refused", () => {
  test("a missing login starts nothing and names the login command", async () => {
    const where = cursorProject([writes("one.txt", "COMPLETE", true)], "Not logged in");
    const { exit, stderr } = await where.ralph("run");
    expect(exit).toBe(7);
    expect(stderr).toContain("Cursor CLI is not logged in: run `cursor-agent login`, or set CURSOR_API_KEY.");
    const doctor = await where.ralph("doctor", "--json");
    expect(doctor.exit).toBe(1);
    expect(JSON.parse(doctor.stdout).results).toContainEqual(
      expect.objectContaining({ label: "ready", passed: false, detail: expect.stringContaining("not logged in") }),
    );
    expect(where.calls()).toEqual([]);
  });

  test.each<[string, string, string, number]>([
    [
      "a login that fails",
      "Error: Authentication required. Please run 'cursor-agent login' first",
      "authentication",
      6,
    ],
    ["a limit", "Error: You've hit your usage limit. Upgrade to continue", "usage_limit", 5],
  ])("%s is recognised by a plain line on stderr", async (_, stderr, reason, code) => {
    const where = cursorProject([{ stdout: lines(init), stderr: `${stderr}\n`, exit: 1 }]);
    const { exit } = await where.ralph("run", "--on-limit", "stop");
    expect([where.event("run_finished")?.stop_reason, exit]).toEqual([reason as never, code]);
  });

  test("a tool counts as a denial, and the loop goes on", async () => {
    const shell = { shellToolCall: { args: { command: "touch x" }, result: { rejected: { reason: "" } } } };
    const stdout = lines(init, tool("started", shell), tool("completed", shell), says("No."), result("No."));
    const where = cursorProject([{ stdout }]);
    await where.ralph("run", "--max-iterations", "1");
    expect(where.event("iteration_finished")?.analysis).toMatchObject({
      has_permission_denials: true,
      denied_commands: ["Bash(touch x)"],
    });
  });

  test("a truncated stream is not an answer", async () => {
    const where = cursorProject([{ stdout: lines(init, says(block("COMPLETE", true))), exit: 1 }]);
    await where.ralph("run", "--max-iterations", "1");
    expect(where.event("agent_finished")).toMatchObject({ ok: false, error: { class: "infrastructure" } });
    expect(where.event("run_finished")?.stop_reason).toBe("max_iterations");
  });
});
