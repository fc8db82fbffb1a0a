import { describe, expect, test } from "bun:test";
import copilot from "../../drivers/copilot.ts";
import type { AgentEvent } from "../../src/driver.ts";
import { eventsOf, inWords } from "./in-words.ts";
import { only, recordings } from "./recordings.ts";

const all = recordings("copilot");
const byName = new Map(all.map(({ name, bytes }) => [name, bytes]));

function events(name: string): AgentEvent[] {
  const bytes = byName.get(`${name}.json.jsonl`);
  if (bytes === undefined) throw new Error(`no recording ${name}`);
  return eventsOf(copilot, [bytes]);
}

describe("recorded runs of Copilot", () => {
  test("there are recordings to read", () => expect(all.length).toBeGreaterThan(50));

  test.each(all)("$name holds no event that the driver does not know", ({ bytes }) => {
    expect(only(eventsOf(copilot, [bytes]), "unknown")).toEqual([]);
  });

  test.each(all)("$name says that it went well only if the program exited with 0", ({ bytes, exitCode }) => {
    const found = eventsOf(copilot, [bytes]);
    const [finished] = only(found, "finished");
    if (finished?.ok) expect(exitCode).toBe(0);
    expect(only(found, "error")).toHaveLength(finished?.ok === false ? 1 : only(found, "error").length);
    if (finished?.ok) expect(only(found, "error")).toEqual([]);
  });

  test.each(all)("$name is read alike when its bytes come one by one", ({ bytes }) => {
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(eventsOf(copilot, single)).toEqual(eventsOf(copilot, [bytes]));
  });

  const expected: Record<string, string[]> = {
    "write-file-complete": [
      "text I will write the file now.",
      "tool Write",
      "result",
      "text hello.txt is written. All tasks are done.",
      "usage of 2 turns, mock-model",
      "finished",
    ],
    "permission-denied": [
      "text I need to run a command.",
      "tool Bash",
      "result is an error",
      "denied Bash",
      "text The command was not allowed, so I cannot go on.",
      "usage of 2 turns, mock-model",
      "finished",
    ],
    subagent: [
      "text Delegating.",
      "tool task",
      "text Nested looks. (nested)",
      "tool Glob",
      "result",
      "text Nested answer. (nested)",
      "result",
      "text All done here.",
      "usage of 2 turns, mock-model",
      "finished",
    ],
    "rate-limit": [
      ...[1, 2, 3, 4, 5].map((n) => `retry ${n} rate_limit (429)`),
      "usage of 1 turns, mock-model",
      "error limit",
      "failed",
    ],
    "usage-limit": ["usage of 1 turns, mock-model", "error limit", "failed"],
    "auth-failure": [
      "retry 1 transient_auth_error (401)",
      "retry 2 transient_auth_error (401)",
      "usage of 1 turns, mock-model",
      "error auth",
      "failed",
    ],
    "context-overflow": ["retry 1 forced_compaction (400)", "usage of 1 turns, mock-model", "error request", "failed"],
    "mid-stream-error": [
      ...[1, 2, 3, 4, 5].map((n) => `retry ${n} api_error`),
      "text Partial text before the error.",
      "usage of 1 turns, mock-model",
      "error infrastructure",
      "failed",
    ],
    "sigterm-during-tool-native": [
      "text I will run a command.",
      "tool Bash",
      "usage of 1 turns, mock-model",
      "error infrastructure",
    ],
    "sigkill-during-tool": ["text I will run a command.", "tool Bash", "usage of 1 turns, mock-model"],
    "resume-unknown": [],
  };
  test.each(Object.entries(expected))("%s says what happened", (name, words) => {
    expect(inWords(events(name))).toEqual(words);
  });

  test("a killed run leaves the text that was being written", () => {
    const found = events("sigterm-mid-run");
    expect(only(found, "text").map(({ text }) => text)).toEqual([only(found, "partial").at(-1)?.text ?? ""]);
    expect(only(found, "finished")).toEqual([]);
  });

  test("the last partial text of a block is the block", () => {
    const found = events("plain-text");
    expect(only(found, "partial").at(-1)?.text).toBe(only(found, "text")[0]?.text);
  });

  test("the id of a chosen session is told at the end", () => {
    expect(only(events("session-id-given"), "session_id")).toEqual([
      { type: "session_id", session_id: "11111111-2222-4333-8444-555555555555" },
    ]);
  });
});
