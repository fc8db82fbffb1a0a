import { except, judgeVerdicts } from "./verdicts.ts";

judgeVerdicts("codex", {
  ...except("failed", "the CLI refused its command line", [
    "ask-for-approval-flag.json.jsonl",
    "full-auto.json.jsonl",
    "not-a-git-repo.json.jsonl",
    "prompt-with-dash.json.jsonl",
    "resume-sandbox-flag-after.json.jsonl",
  ]),
  ...except("failed", "there was no thread with that id", ["resume-unknown.json.jsonl"]),
  ...except("failed", "the variable that should hold the key was missing", ["no-api-key.json.jsonl"]),
  ...except("failed", "nothing listened where the model should be", ["connection-refused.json.jsonl"]),
  ...except("failed", "stdin was never closed, so that no turn began", ["stdin-open-pipe.json.jsonl"]),
  ...except("limited", "it gave up at the limit, one retry before the good answer", ["rate-limit-then-ok.json.jsonl"]),
  ...except("failed", "a signal ended the run while its tool worked", [
    "sigint-during-tool.json.jsonl",
    "sigkill-during-tool.json.jsonl",
    "sigkill-group-during-tool.json.jsonl",
    "sigterm-during-tool-group.json.jsonl",
    "sigterm-during-tool.json.jsonl",
  ]),
  ...except("answered", "the sandbox makes a command fail and an edit vanish: no event tells a denial", [
    "permission-denied-code-mode.json.jsonl",
    "permission-denied-touch.json.jsonl",
    "permission-denied-write.json.jsonl",
    "permission-denied.json.jsonl",
    "permission-denied.text.txt",
  ]),
});
