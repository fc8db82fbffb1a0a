import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import { splitTools } from "../../src/core/settings/tool-list.ts";
import type { AgentEvent, CommandRequest, Driver } from "../../src/driver.ts";
import { decode, only } from "../drivers/recordings/recordings.ts";
import { requestOf as anyRequest } from "../drivers/request.ts";
import { mismatches } from "./match.ts";

type Case<T> = { id: string; case: T; expected: { ours: { rule: string; expect: Record<string, unknown> } } };
type Repeated = string | { $repeat: string; count: number; then?: string };
type BuildCase = { prompt: Repeated; env: Record<string, string>; stored_session?: string };

/** Adds the recorded command lines of a driver: the cases that call the agent. */
export function judgeCommands(driver: Driver, group: string): void {
  const started = cases<BuildCase>(group).filter((one) => one.expected.ours.expect.calls === 1);
  const deviations = deviationsOf(driver);
  describe(`the recorded command lines of ${driver.displayName}`, () => {
    test("exist", () => expect(started.length).toBeGreaterThan(20));

    test.each(started)("$id", ({ id, case: given, expected }) => {
      const request = requestOf(driver, given);
      const { argv, stdin } = driver.buildCommand(request);
      const { argv: withAnother } = driver.buildCommand({ ...request, prompt: "Another prompt." });
      const { argv_has, argv_lacks, tools } = expected.ours.expect;
      const found = [
        ...(argv_has as unknown[]).filter((words) => !stands(argv, words)),
        ...(argv_lacks as unknown[]).filter((word) => stands(argv, word)),
        ...(Array.isArray(tools) && !stands(argv, ["--allowedTools", ...tools]) ? [tools] : []),
        ...(stdin === request.prompt ? [] : ["the prompt is not what stands on stdin"]),
        ...(argv.join("\n") === withAnother.join("\n") ? [] : ["the prompt is in the arguments"]),
      ];
      expectUnlessListed(found, deviations[id]);
    });
  });
}

/** Adds the recorded streams of a driver. */
export function judgeStreams(driver: Driver, group: string, more: readonly string[] = []): void {
  const streams = [...cases<{ lines: string[] }>(group), ...cases<{ lines: string[] }>("kitstream")].filter(
    ({ id }) => id.startsWith(`${group}/`) || more.includes(id),
  );
  const deviations = deviationsOf(driver);
  describe(`the recorded streams of ${driver.displayName}`, () => {
    test("there are cases", () => expect(streams.length).toBeGreaterThan(10));

    test("name a judged case in every listed deviation", () => {
      const judged = [...streams, ...cases(group.replace("stream-", "build-"))].map(({ id }) => id);
      expect(Object.keys(deviations).filter((id) => !judged.includes(id))).toEqual([]);
    });

    test.each(streams)("$id", ({ id, case: { lines }, expected }) => {
      const { texts_contain = [], texts_lack = [], analyze: _, ...exact } = expected.ours.expect;
      const actual = summary(decode(driver, lines));
      const { texts } = actual;
      const found = [
        ...mismatches(exact, actual),
        ...(texts_contain as string[]).filter((text) => !texts.includes(text)),
        ...(texts_lack as string[]).filter((text) => texts.some((one) => one.includes(text))),
      ];
      expectUnlessListed(found, deviations[id]);
    });
  });
}

/** An outdated deviation fails until it is removed from the list. */
function expectUnlessListed(found: readonly unknown[], deviation: string | undefined): void {
  if (deviation === undefined) expect(found).toEqual([]);
  else expect(found).not.toEqual([]);
}

/** The judged cases of a group. */
function cases<T>(group: string): Case<T>[] {
  return readText(`data/${group}/cases.jsonl`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Case<T> => JSON.parse(line))
    .filter((one) => one.expected.ours.rule !== "free");
}

/** Ids of cases with an intended deviation of ralph, and its reason. */
function deviationsOf({ name }: Driver): Record<string, string> {
  return JSON.parse(readText(`deviations/${name}.json`));
}

function readText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

/**
 * The loop's request for the settings of a case; settings that prevent the start are judged through the whole program.
 */
function requestOf(driver: Driver, { prompt, env, stored_session }: BuildCase): CommandRequest {
  const stored = stored_session ?? "";
  const resumes = env.SESSION_CONTINUITY !== "false" && isSessionId(driver, stored);
  const { supportsToolAllowlist = false } = driver;
  return anyRequest({
    binary: [driver.name],
    prompt: typeof prompt === "string" ? prompt : prompt.$repeat.repeat(prompt.count) + (prompt.then ?? ""),
    resume: resumes ? stored : null,
    allowedTools: supportsToolAllowlist ? splitTools(env.ALLOWED_TOOLS ?? "Write,Read,Bash") : null,
    permissionMode: env.CLAUDE_PERMISSION_MODE ?? "bypassPermissions",
  });
}

/** Whether the words follow each other in argv; `$any` allows several spellings. */
function stands(argv: readonly string[], wanted: unknown): boolean {
  if (!Array.isArray(wanted)) {
    const choices = (wanted as { $any?: unknown[] }).$any ?? [[wanted]];
    return choices.some((choice) => stands(argv, choice));
  }
  return argv.some((_, at) => mismatches(wanted, argv.slice(at, at + wanted.length)).length === 0);
}

/** The decoder's result for a stream, in the terms of the conformance data. */
function summary(events: readonly AgentEvent[]): Record<string, unknown> & { texts: string[] } {
  const finished = only(events, "finished").at(-1);
  const limit = only(events, "rate_limited").at(-1);
  return {
    texts: only(events, "text").map(({ text }) => text),
    tools: only(events, "tool_use").map(({ tool_id, tool, input }) => ({ id: tool_id, tool, input })),
    tool_results: only(events, "tool_result").map(({ tool_use_id, ...rest }) => ({ id: tool_use_id, ...rest })),
    session_id: only(events, "session_id").at(-1)?.session_id,
    final: finished && { ...finished, error: only(events, "error").at(-1)?.message },
    usage: only(events, "usage").at(-1),
    limit: limit && { ...limit, resets_at: limit.resets_at?.replace(".000Z", "Z") },
    stops_reading: false,
  };
}
