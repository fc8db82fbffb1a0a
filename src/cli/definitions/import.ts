import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const IMPORT_ARGS = {
  source: {
    type: "positional",
    valueHint: "FILE",
    required: false,
    description: ".md .txt .json .pdf .docx, a folder, or an issue (#12, OWNER/REPO#12, URL)",
  },
  folder: {
    type: "positional",
    valueHint: "NAME",
    required: false,
    description: "the project's folder, or . (default: this project, else one after the file)",
  },
  agent: {
    type: "boolean",
    negatable: true,
    description: "let the agent do it (yes); without: by rules alone",
    group: "task",
  },
  from: {
    type: "enum",
    options: ["prd", "github", "beads", "bmad"],
    valueHint: "SOURCE",
    description: "without FILE: prd, github, beads or bmad (TASK_SOURCES)",
    group: "task",
  },
  "dry-run": { type: "boolean", description: "show what would change, and change nothing", group: "task" },
  yes: { type: "boolean", alias: "y", description: "ask nothing", group: "task" },
  force: { type: "boolean", description: "import a plan that has errors", group: "task" },
  label: { type: "string", valueHint: "LIST", description: "with --from github: issues with these", group: "task" },
  json: JSON_FLAG,
} as const satisfies Args;
export type ImportArgs = typeof IMPORT_ARGS;

export const IMPORT = defineCommand({
  meta: { name: "import", description: "turn a PRD, issues or a BMAD plan into plan and specs" },
  args: IMPORT_ARGS,
  settings: [
    "PLATFORM_DRIVER",
    "CLAUDE_MODEL",
    "CLAUDE_EFFORT",
    "CLAUDE_TIMEOUT_MINUTES",
    "CLAUDE_OUTPUT_FORMAT",
    "RALPH_TRUST",
  ],
  exclusive: [["source", "from"]],
  examples: [
    ["ralph import prd.md", "a new project after the file, its plan made by the agent"],
    ["ralph import prd.docx . --no-agent", "here, by rules alone: no account, no cost"],
    ["ralph import _bmad-output/planning-artifacts", "the stories of a BMAD plan"],
    ["ralph import --from github --label ralph-task --dry-run", "which tasks the issues would give"],
  ],
  load: () => import("../commands/import.ts"),
});
