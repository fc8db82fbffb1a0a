import codex from "../../../drivers/codex.ts";
import { describeRecordings } from "./describe-recordings.ts";

describeRecordings(codex, {
  cli: "codex",
  moreThan: 40,
  words: {
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
    "context-overflow": ["error context", "failed"],
    "no-api-key": ["error config", "failed"],
    "sigterm-during-tool": ["text I will run a command.", "tool Bash"],
    "resume-unknown": [],
  },
});
