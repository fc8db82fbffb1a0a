import { expect, test } from "bun:test";
import claudeCode from "../../../drivers/claude-code.ts";
import { decoderKit } from "../../../src/driver-host/decoder-kit.ts";
import { eventsOf } from "../in-words.ts";
import { describeRecordings, recordedEvents, recording } from "./describe-recordings.ts";
import { only } from "./recordings.ts";

describeRecordings(claudeCode, {
  cli: "claude",
  moreThan: 80,
  usage: ({ input_tokens, output_tokens, cost_usd }) => `usage ${input_tokens}/${output_tokens} ${cost_usd}`,
  words: {
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
    "permission-denied-2.1.332.stream.jsonl": [
      "text I need to run a command.",
      "tool Bash",
      "result is an error",
      "text The command was not allowed, so I cannot go on.",
      "denied Bash",
      "usage 2000/100 0.01",
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
    "auth-failure.stream.jsonl": [
      "retry 1 authentication_failed (401)",
      "retry 2 authentication_failed (401)",
      "usage 0/0 0",
      "error auth",
      "failed",
    ],
    "no-api-key.json.json": ["usage 0/0 0", "error auth", "failed"],
    "server-error.json.json": ["usage 0/0 0", "error infrastructure", "failed"],
    "overloaded.json.json": ["usage 0/0 0", "error infrastructure", "failed"],
    "connection-refused.json.json": ["usage 0/0 0", "error infrastructure", "failed"],
    "context-overflow.json.json": ["usage 0/0 0", "error context", "failed"],
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
    "sigkill-during-tool.json.jsonl": ["text I will run a command.", "tool Bash", "usage 1000/18 null"],
  },
});

test.each(["asks-question.stream.jsonl", "usage-limit.stream.jsonl"])(
  "%s reads the same wherever it is cut in two",
  (name) => {
    const { bytes } = recording("claude", name);
    const whole = JSON.stringify(eventsOf(claudeCode, [bytes]));
    for (let at = 0; at <= bytes.length; at++) {
      expect(JSON.stringify(eventsOf(claudeCode, [bytes.subarray(0, at), bytes.subarray(at)]))).toBe(whole);
    }
  },
);

test("a killed run yields the text in progress and its session id", () => {
  const events = recordedEvents(claudeCode, "claude", "sigterm-mid-run.partial.jsonl");
  const partials = only(events, "partial");
  expect(only(events, "text").map(({ text }) => text)).toEqual([partials.at(-1)?.text ?? ""]);
  expect(only(events, "session_id")).toHaveLength(1);
  expect(only(events, "finished")).toEqual([]);
});

test("the last partial text of a block is the block", () => {
  const events = recordedEvents(claudeCode, "claude", "plain-text.partial.jsonl");
  expect(only(events, "partial").at(-1)?.text).toBe(only(events, "text")[0]?.text);
});

test("the second call of a conversation costs what it used, though the figures are the conversation's", () => {
  const used = { ...decoderKit.emptyUsage(), input_tokens: 1200, output_tokens: 90, cost_usd: 0.0066 };
  const decoder = claudeCode.decoder?.(decoderKit, { resume: "11111111-2222-4333-8444-555555555555", used });
  const lines = recording("claude", "resume-known-2.1.332.stream.jsonl").bytes.toString("utf8").split("\n");
  expect(
    only(
      lines.flatMap((line) => decoder?.line(line) ?? []),
      "usage",
    ),
  ).toMatchObject([{ input_tokens: 1200, output_tokens: 90, cost_usd: 0.0066 }]);
});

test("a rejected session id is not reported as a session", () => {
  expect(only(recordedEvents(claudeCode, "claude", "resume-unknown.stream.jsonl"), "session_id")).toEqual([]);
});
