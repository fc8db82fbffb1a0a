import { expect, test } from "bun:test";
import copilot from "../../../drivers/copilot.ts";
import { describeRecordings, recordedEvents } from "./describe-recordings.ts";
import { only } from "./recordings.ts";

describeRecordings(copilot, {
  cli: "copilot",
  moreThan: 50,
  words: {
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
    "context-overflow": ["retry 1 forced_compaction (400)", "usage of 1 turns, mock-model", "error context", "failed"],
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
      "failed",
    ],
    "sigkill-during-tool": ["text I will run a command.", "tool Bash", "usage of 1 turns, mock-model"],
    "resume-unknown": [],
  },
});

test("a killed run yields the text in progress", () => {
  const found = recordedEvents(copilot, "copilot", "sigterm-mid-run");
  expect(only(found, "text").map(({ text }) => text)).toEqual([only(found, "partial").at(-1)?.text ?? ""]);
  expect(only(found, "finished")).toEqual([]);
});

test("the last partial text of a block is the block", () => {
  const found = recordedEvents(copilot, "copilot", "plain-text");
  expect(only(found, "partial").at(-1)?.text).toBe(only(found, "text")[0]?.text);
});

test("the id of a chosen session is reported at the end", () => {
  expect(only(recordedEvents(copilot, "copilot", "session-id-given"), "session_id")).toEqual([
    { type: "session_id", session_id: "11111111-2222-4333-8444-555555555555" },
  ]);
});
