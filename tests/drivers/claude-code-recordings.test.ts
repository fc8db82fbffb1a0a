import { describe, expect, test } from "bun:test";
import claudeCode from "../../drivers/claude-code.ts";
import type { AgentEvent } from "../../src/driver.ts";
import { createLineSplitter } from "../../src/effects/line-splitter.ts";
import { decode, only, type Recording, recordings } from "./recordings.ts";

const all = recordings("claude");
const byName = new Map(all.map((recording) => [recording.name, recording]));

function recording(name: string): Recording {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`no recording ${name}`);
  return found;
}

function eventsOf(chunks: readonly Buffer[]): AgentEvent[] {
  const splitter = createLineSplitter();
  return decode(claudeCode, [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]);
}

/** The events in words, without what only tells of progress. */
function inWords(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "ignored" || event.type === "partial" || event.type === "session_id") return [];
    if (event.type === "text") return [`text ${event.text.split("\n")[0]}`];
    if (event.type === "tool_use") return [`tool ${event.tool}`];
    if (event.type === "tool_result") return [`result${event.is_error ? " is an error" : ""}`];
    if (event.type === "usage") return [`usage ${event.input_tokens}/${event.output_tokens} ${event.cost_usd}`];
    if (event.type === "error") return [`error ${event.class}`];
    if (event.type === "finished") return [event.ok ? "finished" : "failed"];
    if (event.type === "denied") return [`denied ${event.tool}`];
    if (event.type === "retry") return [`retry ${event.attempt}`];
    return event.type === "rate_limited" ? [`limit until ${event.resets_at}`] : [`unknown ${event.name}`];
  });
}

describe("recorded runs of Claude Code", () => {
  test("there are recordings to read", () => expect(all.length).toBeGreaterThan(80));

  test.each(all)("$name holds no event that the driver does not know", ({ bytes }) => {
    expect(only(eventsOf([bytes]), "unknown")).toEqual([]);
  });

  test.each(all)("$name says that it went well only if the program exited with 0", ({ bytes, exitCode }) => {
    const [finished] = only(eventsOf([bytes]), "finished");
    if (finished?.ok) expect(exitCode).toBe(0);
    if (finished?.ok === false) expect(only(eventsOf([bytes]), "error")).toHaveLength(1);
  });

  test.each(all)("$name is read alike when its bytes come one by one", ({ bytes }) => {
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(eventsOf(single)).toEqual(eventsOf([bytes]));
  });

  test.each(["asks-question.stream.jsonl", "usage-limit.stream.jsonl"])(
    "%s is read alike wherever it is cut in two",
    (name) => {
      const { bytes } = recording(name);
      const whole = JSON.stringify(eventsOf([bytes]));
      for (let at = 0; at <= bytes.length; at++) {
        expect(JSON.stringify(eventsOf([bytes.subarray(0, at), bytes.subarray(at)]))).toBe(whole);
      }
    },
  );

  const expected: Record<string, string[]> = {
    "write-file-complete.stream.jsonl": [
      "text I will write the file now.",
      "tool Write",
      "result",
      "text hello.txt is written. All tasks are done.",
      "usage 3200/170 0.020649999999999998",
      "finished",
    ],
    "permission-denied.partial.jsonl": [
      "text I need to run a command.",
      "tool Bash",
      "result is an error",
      "text The command was not allowed, so I cannot go on.",
      "denied Bash",
      "usage 2000/100 0.0125",
      "finished",
    ],
    "permission-denied-plan-mode.json.json": ["denied Write", "usage 2000/100 0.0125", "finished"],
    "plain-text.json.json": ["usage 1200/90 0.00825", "finished"],
    "stdin-tty.json.json": ["usage 1200/90 0.00825", "finished"],
    "reasoning.stream.jsonl": ["text Here is the status.", "usage 1000/50 0.00625", "finished"],
    "mid-stream-error.stream.jsonl": [
      "text Partial text before the error.",
      "usage 0/0 0",
      "error infrastructure",
      "failed",
    ],
    "auth-failure.stream.jsonl": ["retry 1", "retry 2", "usage 0/0 0", "error auth", "failed"],
    "no-api-key.json.json": ["usage 0/0 0", "error auth", "failed"],
    "server-error.json.json": ["usage 0/0 0", "error infrastructure", "failed"],
    "overloaded.json.json": ["usage 0/0 0", "error infrastructure", "failed"],
    "connection-refused.json.json": ["usage 0/0 0", "error infrastructure", "failed"],
    "context-overflow.json.json": ["usage 0/0 0", "error request", "failed"],
    "max-turns.json.json": ["usage 1500/60 0.009", "error request", "failed"],
    "rate-limit.json.json": ["usage 0/0 0", "error limit", "failed"],
    "subscription-usage-limit.stream.jsonl": [
      "limit until 2026-11-21T21:42:39.000Z",
      "usage 0/0 0",
      "error limit",
      "failed",
    ],
    "resume-unknown.stream.jsonl": ["usage 0/0 0", "error session", "failed"],
    "sigint-during-tool.stream.jsonl": [
      "text I will run a command.",
      "tool Bash",
      "result is an error",
      "usage 1000/50 0.00625",
      "error infrastructure",
      "failed",
    ],
    "sigkill-during-tool.json.jsonl": ["text I will run a command.", "tool Bash", "usage 1000/1 null"],
  };
  test.each(Object.entries(expected))("%s says what happened", (name, words) => {
    expect(inWords(eventsOf([recording(name).bytes]))).toEqual(words);
  });

  test("a killed run leaves the text that was being written, and the id of its session", () => {
    const events = eventsOf([recording("sigterm-mid-run.partial.jsonl").bytes]);
    const partials = only(events, "partial");
    expect(only(events, "text").map(({ text }) => text)).toEqual([partials.at(-1)?.text ?? ""]);
    expect(only(events, "session_id")).toHaveLength(1);
    expect(only(events, "finished")).toEqual([]);
  });

  test("the last partial text of a block is the block", () => {
    const events = eventsOf([recording("plain-text.partial.jsonl").bytes]);
    expect(only(events, "partial").at(-1)?.text).toBe(only(events, "text")[0]?.text);
  });

  test("a rejected session id is not reported as a session", () => {
    expect(only(eventsOf([recording("resume-unknown.stream.jsonl").bytes]), "session_id")).toEqual([]);
  });
});
