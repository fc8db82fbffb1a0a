import { except, judgeVerdicts } from "./verdicts.ts";

judgeVerdicts("opencode", {
  ...except("failed", "the CLI refused its command line", ["prompt-with-dash.json.jsonl"]),
  ...except("failed", "the CLI refused the session id", ["resume-not-an-id.json.jsonl", "resume-unknown.json.jsonl"]),
  ...except("failed", "the model is unknown, which the CLI calls a server error", ["unknown-model.json.jsonl"]),
  ...except("failed", "it waited in silence and was ended by the recorder", [
    "connection-refused.json.jsonl",
    "no-provider.json.jsonl",
    "stdin-open-pipe.json.jsonl",
    "usage-limit.json.jsonl",
  ]),
  ...except("failed", "a signal ended the run while its tool worked", [
    "sigint-during-tool-group.json.jsonl",
    "sigint-during-tool.json.jsonl",
    "sigkill-during-tool.json.jsonl",
    "sigkill-group-during-tool.json.jsonl",
    "sigterm-during-tool-group.json.jsonl",
    "sigterm-during-tool.json.jsonl",
  ]),
  ...except("answered", "--auto approved what the scenario expects to be denied", [
    "permission-ask-with-auto.json.jsonl",
  ]),
  ...except("answered", "a tool that is denied as a whole is not offered, so nothing is refused", [
    "permission-denied-by-deny.json.jsonl",
  ]),
  ...except("answered", "plain text does not tell a denial by structure", ["permission-denied.text.txt"]),
});
