import { except, judgeVerdicts } from "./verdicts.ts";

judgeVerdicts("copilot", {
  ...except("failed", "nothing listened where the model should be", ["connection-refused.json.jsonl"]),
  ...except("auth", "there was no login at all", ["no-auth.json.jsonl", "no-auth.text.txt"]),
  ...except("failed", "the CLI refused its command line", ["no-model.json.jsonl", "prompt-with-dash.json.jsonl"]),
  ...except("failed", "the CLI refused the session id", ["resume-not-a-uuid.json.jsonl", "resume-unknown.json.jsonl"]),
  ...except("failed", "a signal ended the run while its tool worked", [
    "sigint-during-tool-native.json.jsonl",
    "sigint-during-tool.json.jsonl",
    "sigkill-during-tool.json.jsonl",
    "sigkill-group-during-tool.json.jsonl",
    "sigterm-during-tool-native.json.jsonl",
    "sigterm-during-tool.json.jsonl",
    "sigterm-group-during-tool.json.jsonl",
  ]),
  ...except("answered", "plain text does not tell a denial by structure", [
    "permission-denied.silent.txt",
    "permission-denied.text.txt",
  ]),
});
