import { describe, expect, test } from "bun:test";
import opencode from "../../drivers/opencode.ts";
import type { AgentEvent } from "../../src/driver.ts";
import { eventsOf, inWords } from "./in-words.ts";
import { only, recordings } from "./recordings.ts";

const all = recordings("opencode");
const byName = new Map(all.map(({ name, bytes }) => [name, bytes]));

function events(name: string): AgentEvent[] {
  const bytes = byName.get(`${name}.json.jsonl`);
  if (bytes === undefined) throw new Error(`no recording ${name}`);
  return eventsOf(opencode, [bytes]);
}

describe(`recorded runs of ${opencode.displayName}`, () => {
  test("there are recordings to read", () => expect(all.length).toBeGreaterThan(40));

  test.each(all)("$name holds no event that the driver does not know", ({ bytes }) => {
    expect(only(eventsOf(opencode, [bytes]), "unknown")).toEqual([]);
  });

  test.each(all)("$name says that it went well only if the program exited with 0", ({ bytes, exitCode }) => {
    const found = eventsOf(opencode, [bytes]);
    const [finished] = only(found, "finished");
    if (finished?.ok) expect([exitCode, only(found, "error")]).toEqual([0, []]);
    if (finished?.ok === false) expect(only(found, "error")).toHaveLength(1);
    if (exitCode === 0) expect(finished?.ok).toBe(true);
  });

  test.each(all)("$name is read alike when its bytes come one by one", ({ bytes }) => {
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(eventsOf(opencode, single)).toEqual(eventsOf(opencode, [bytes]));
  });

  const expected: Record<string, string[]> = {
    "write-file-complete": [
      "text I will write the file now.",
      "tool Write",
      "result",
      "usage of 1 turns, ?",
      "text hello.txt is written. All tasks are done.",
      "usage of 1 turns, ?",
      "finished",
    ],
    "shell-complete": [
      "text I will run a command.",
      "tool Bash",
      "result",
      "usage of 1 turns, ?",
      "text The command ran.",
      "usage of 1 turns, ?",
      "finished",
    ],
    "permission-denied": [
      "text I need to run a command.",
      "tool Bash",
      "denied Bash",
      "result is an error",
      "usage of 1 turns, ?",
      "finished",
    ],
    "permission-denied-by-deny": [
      "tool invalid",
      "result is an error",
      "text I need to run a command.",
      "usage of 1 turns, ?",
      "text The command was not allowed, so I cannot go on.",
      "usage of 1 turns, ?",
      "finished",
    ],
    "reasoning-thinking-flag": ["text Here is the status.", "usage of 1 turns, ?", "finished"],
    "rate-limit": ["error limit", "failed"],
    "auth-failure": ["error auth", "failed"],
    "mid-stream-error": ["error infrastructure", "failed"],
    "truncated-stream": ["error infrastructure", "failed"],
    "unknown-model": ["error infrastructure", "failed"],
    "sigterm-during-tool": ["text I will run a command."],
    "resume-unknown": [],
    "provider-anthropic": [
      "text I will write the file now.",
      "tool Write",
      "result",
      "usage of 1 turns, ?",
      "text hello.txt is written. All tasks are done.",
      "usage of 1 turns, ?",
      "finished",
    ],
  };
  test.each(Object.entries(expected))("%s says what happened", (name, words) => {
    expect(inWords(events(name))).toEqual(words);
  });
});
