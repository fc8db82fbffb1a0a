import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import claudeCode from "../../drivers/claude-code.ts";
import { splitTools } from "../../src/core/tool-list.ts";
import type { AgentEvent, CommandRequest } from "../../src/driver.ts";
import { decode, only } from "../drivers/recordings.ts";
import { mismatches } from "./match.ts";

type Case<T> = { id: string; case: T; expected: { ours: { rule: string; expect: Record<string, unknown> } } };
type Repeated = string | { $repeat: string; count: number; then?: string };
type BuildCase = { prompt: Repeated; env: Record<string, string>; stored_session?: string };

/** The judged cases of a group. */
function cases<T>(group: string): Case<T>[] {
  const text = readFileSync(join(import.meta.dirname, "data", group, "cases.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Case<T> => JSON.parse(line))
    .filter((one) => one.expected.ours.rule !== "free");
}

const NEW = "5a4e2c1b-1111-4222-8333-944444444444";

/** The request that the loop makes of the settings of a case; those that stop the start are judged by the whole program. */
function requestOf({ prompt, env, stored_session }: BuildCase): CommandRequest {
  const stored = stored_session ?? "";
  const resumes = env.SESSION_CONTINUITY !== "false" && claudeCode.isSessionId?.(stored) === true;
  return {
    binary: ["claude"],
    prompt: typeof prompt === "string" ? prompt : prompt.$repeat.repeat(prompt.count) + (prompt.then ?? ""),
    context: null,
    resume: resumes ? stored : null,
    newSessionId: NEW,
    format: "json",
    partial: false,
    model: null,
    effort: null,
    allowedTools: splitTools(env.ALLOWED_TOOLS ?? "Write,Read,Bash"),
    permissionMode: env.CLAUDE_PERMISSION_MODE ?? "bypassPermissions",
    readOnly: false,
    cwd: "/project",
    isGitRepository: true,
  };
}

/** Whether the words stand in argv one after the other; `$any` gives several spellings. */
function stands(argv: readonly string[], wanted: unknown): boolean {
  if (!Array.isArray(wanted)) {
    const choices = (wanted as { $any?: unknown[] }).$any ?? [[wanted]];
    return choices.some((choice) => stands(argv, choice));
  }
  return argv.some((_, at) => mismatches(wanted, argv.slice(at, at + wanted.length)).length === 0);
}

const started = cases<BuildCase>("build-claude-code").filter((one) => one.expected.ours.expect.calls === 1);

describe("the recorded command lines of Claude Code", () => {
  test("there are cases", () => expect(started.length).toBeGreaterThan(30));

  test.each(started)("$id", ({ case: given, expected }) => {
    const request = requestOf(given);
    const { argv, stdin } = claudeCode.buildCommand(request);
    const { argv_has, argv_lacks, tools } = expected.ours.expect;
    expect((argv_has as unknown[]).filter((words) => !stands(argv, words))).toEqual([]);
    expect((argv_lacks as unknown[]).filter((word) => stands(argv, word))).toEqual([]);
    if (Array.isArray(tools)) expect(stands(argv, ["--allowedTools", ...tools])).toBe(true);
    expect(stdin).toBe(request.prompt);
    expect(argv.slice(1).some((word) => word.includes(request.prompt.trim()))).toBe(given.prompt === "json\n");
  });
});

/** What a decoder made of a stream, in the terms of the conformance data. */
function summary(events: readonly AgentEvent[]): Record<string, unknown> {
  const finished = only(events, "finished").at(-1);
  const limit = only(events, "rate_limited").at(-1);
  return {
    texts: only(events, "text").map(({ text }) => text),
    tools: only(events, "tool_use").map(({ tool_id, tool, input }) => ({ id: tool_id, tool, input })),
    tool_results: only(events, "tool_result").map(({ tool_use_id, ...rest }) => ({ id: tool_use_id, ...rest })),
    session_id: only(events, "session_id").at(-1)?.session_id,
    final: finished && { ...finished, error: only(events, "error").at(-1) },
    limit: limit && { ...limit, resets_at: limit.resets_at?.replace(".000Z", "Z") },
    stops_reading: false,
  };
}

const streams = [
  ...cases<{ lines: string[] }>("stream-claude-code"),
  ...cases<{ lines: string[] }>("kitstream").filter((one) => one.id === "kitstream/claude"),
];

describe("the recorded streams of Claude Code", () => {
  test("there are cases", () => expect(streams.length).toBeGreaterThan(30));

  test.each(streams)("$id", ({ case: { lines }, expected }) => {
    const { texts_contain = [], texts_lack = [], analyze: _, ...exact } = expected.ours.expect;
    const actual = summary(decode(claudeCode, lines));
    expect(mismatches(exact, actual)).toEqual([]);
    const texts = actual.texts as string[];
    expect((texts_contain as string[]).filter((text) => !texts.includes(text))).toEqual([]);
    expect((texts_lack as string[]).filter((text) => texts.some((one) => one.includes(text)))).toEqual([]);
  });
});
