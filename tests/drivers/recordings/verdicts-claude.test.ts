import { except, judgeVerdicts } from "./verdicts.ts";

judgeVerdicts("claude", {
  ...except("failed", "nothing listened where the model should be", ["connection-refused.json.json"]),
  ...except("failed", "a bound of the CLI ended the run before its answer", [
    "max-budget.json.json",
    "max-turns.json.json",
  ]),
  ...except("auth", "there was no key at all", ["no-api-key.json.json", "no-api-key.stream.jsonl"]),
  ...except("failed", "the CLI refused its command line", [
    "permission-mode-bad-value.json.json",
    "prompt-with-dash.json.json",
    "root-bypass.json.json",
    "root-skip-permissions.json.json",
    "stream-json-without-verbose.stream.jsonl",
    "variadic-eats-prompt.json.json",
  ]),
  ...except("failed", "the CLI refused the session id", [
    "resume-not-a-uuid.json.json",
    "resume-other-folder.json.json",
    "resume-unknown.json.json",
    "resume-unknown.stream.jsonl",
    "session-id-reused.json.json",
  ]),
  ...except("failed", "a signal ended the run while its tool worked", [
    "sigint-during-tool.stream.jsonl",
    "sigkill-during-tool.json.jsonl",
    "sigkill-group-during-tool.json.jsonl",
  ]),
  ...except("answered", "the tool was not offered at all, which is no denial of a call", ["disallowed-tool.json.json"]),
  ...except("answered", "plain text does not tell a denial by structure", ["permission-denied.text.txt"]),
  ...except("answered", "plain text and exit code 0 are all that an interrupted run leaves", [
    "sigint-mid-run.text.txt",
  ]),
});
