import { describe, expect, test } from "bun:test";
import codex from "../../drivers/codex.ts";
import type { AgentEvent } from "../../src/driver.ts";
import { eventsOf, inWords } from "./in-words.ts";
import { only, recordings } from "./recordings.ts";

const all = recordings("codex");
const byName = new Map(all.map(({ name, bytes }) => [name, bytes]));

function events(name: string): AgentEvent[] {
  const bytes = byName.get(`${name}.json.jsonl`);
  if (bytes === undefined) throw new Error(`no recording ${name}`);
  return eventsOf(codex, [bytes]);
}

describe(`recorded runs of ${codex.displayName}`, () => {
  test("there are recordings to read", () => expect(all.length).toBeGreaterThan(40));

  test.each(all)("$name holds no event that the driver does not know", ({ bytes }) => {
    expect(only(eventsOf(codex, [bytes]), "unknown")).toEqual([]);
  });

  test.each(all)("$name says that it went well only if the program exited with 0", ({ bytes, exitCode }) => {
    const found = eventsOf(codex, [bytes]);
    const [finished] = only(found, "finished");
    if (finished?.ok) expect([exitCode, only(found, "error")]).toEqual([0, []]);
    if (finished?.ok === false) expect(only(found, "error")).toHaveLength(1);
    if (exitCode === 0) expect(finished?.ok).toBe(true);
  });

  test.each(all)("$name is read alike when its bytes come one by one", ({ bytes }) => {
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(eventsOf(codex, single)).toEqual(eventsOf(codex, [bytes]));
  });

  const expected: Record<string, string[]> = {
    "write-file-complete": [
      "text I will write the file now.",
      "tool Write",
      "result",
      "text hello.txt is written. All tasks are done.",
      "usage of ? turns, ?",
      "finished",
    ],
    "shell-complete": [
      "text I will run a command.",
      "tool Bash",
      "result",
      "text The command ran.",
      "usage of ? turns, ?",
      "finished",
    ],
    "permission-denied": [
      "text I need to run a command.",
      "tool Bash",
      "result is an error",
      "text The command was not allowed, so I cannot go on.",
      "usage of ? turns, ?",
      "finished",
    ],
    reasoning: ["text Here is the status.", "usage of ? turns, ?", "finished"],
    "unknown-model-warning": [
      "text I looked at the plan and found three open tasks. Nothing was changed yet.",
      "usage of ? turns, ?",
      "finished",
    ],
    "rate-limit-default-retries": [
      "retry 1 exceeded retry limit, last status: 429 Too Many Requests",
      "retry 2 exceeded retry limit, last status: 429 Too Many Requests",
      "retry 3 exceeded retry limit, last status: 429 Too Many Requests",
      "retry 4 exceeded retry limit, last status: 429 Too Many Requests",
      "retry 5 exceeded retry limit, last status: 429 Too Many Requests",
      "error limit",
      "failed",
    ],
    "usage-limit": ["error limit", "failed"],
    "auth-failure": [
      "retry 1 unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1:4010/v1/responses",
      "error auth",
      "failed",
    ],
    "mid-stream-error": [
      "text Partial text before the error.",
      "retry 1 stream disconnected before completion: Overloaded",
      "text Partial text before the error.",
      "error infrastructure",
      "failed",
    ],
    "connection-refused": [
      "retry 1 Connection failed: error sending request",
      "retry 2 Connection failed: error sending request",
      "retry 3 Connection failed: error sending request",
      "error offline",
    ],
    "context-overflow": ["error request", "failed"],
    "no-api-key": ["error config", "failed"],
    "sigterm-during-tool": ["text I will run a command.", "tool Bash"],
    "resume-unknown": [],
  };
  test.each(Object.entries(expected))("%s says what happened", (name, words) => {
    expect(inWords(events(name))).toEqual(words);
  });
});
