import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const ANALYZE_ARGS = {
  files: {
    type: "positional",
    valueHint: "FILE...",
    required: true,
    repeat: true,
    description: "one recording for each iteration, in order; - is stdin",
  },
  driver: {
    type: "string",
    valueHint: "NAME",
    description: "whose output it is (default: found in the output)",
    group: "agent",
    completes: "drivers",
  },
  stderr: { type: "string", valueHint: "FILE", description: "what the agent wrote to stderr", group: "agent" },
  "exit-code": { type: "string", valueHint: "N", description: "the agent's exit code", group: "agent" },
  json: JSON_FLAG,
} as const satisfies Args;
export type AnalyzeArgs = typeof ANALYZE_ARGS;

export const ANALYZE = defineCommand({
  meta: { name: "analyze", description: "the analysis of recorded agent output, and why" },
  args: ANALYZE_ARGS,
  settings: ["ALLOWED_TOOLS", "RALPH_TRUST"],
  examples: [
    ["ralph analyze answer.jsonl", "what ralph would make of it"],
    ["ralph analyze 1.out 2.out --driver codex --json", "two iterations, for programs"],
  ],
  load: () => import("../commands/analyze.ts"),
});
