import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./shared-args.ts";

const SETUP_ARGS = {
  folder: { type: "positional", valueHint: "NAME", required: false, description: "a new folder (default: this one)" },
  yes: { type: "boolean", alias: "y", description: "ask nothing: take what is found", group: "task" },
  from: {
    type: "enum",
    options: ["none", "prd", "github", "beads", "bmad"],
    valueHint: "SOURCE",
    description: "take tasks from: prd, github, beads, bmad or none",
    group: "task",
  },
  prd: { type: "string", valueHint: "FILE", description: "take tasks from this document", group: "task" },
  label: {
    type: "string",
    valueHint: "LABEL",
    description: "with --from github: issues of this label",
    group: "task",
  },
  name: { type: "string", valueHint: "NAME", description: "the project's name", group: "project" },
  type: { type: "string", valueHint: "WORD", description: "its main language, in a word of yours", group: "project" },
  "test-command": {
    type: "string",
    valueHint: "CMD",
    description: "must exit 0 before done is believed; or none",
    group: "project",
  },
  migrate: { type: "boolean", description: "move files of an old layout into .ralph/", group: "project" },
  shims: {
    type: "boolean",
    negatable: true,
    description: "scripts of old, .ralph/ralph_loop.sh …, that call ralph",
    group: "project",
  },
  force: { type: "boolean", description: "replace ralph's own files, after a backup", group: "project" },
  json: JSON_FLAG,
} as const satisfies Args;
export type SetupArgs = typeof SETUP_ARGS;

const SETTINGS = ["PLATFORM_DRIVER", "MAX_CALLS_PER_HOUR", "MAX_ITERATIONS", "MAX_TIME"] as const;

const EXAMPLES = [
  ["ralph setup", "looks at this folder, and asks what it cannot find out"],
  ["ralph setup shop", "a new project with a git repository"],
  ["ralph setup --yes --driver codex --from prd", "asks nothing"],
] as const;

export const SETUP = defineCommand({
  meta: { name: "setup", description: "make this folder, or a new one, a Ralph project" },
  args: SETUP_ARGS,
  settings: SETTINGS,
  examples: EXAMPLES,
  load: () => import("../commands/setup.ts"),
});

export const ENABLE = defineCommand({
  meta: { name: "enable", description: "the same as setup" },
  args: SETUP_ARGS,
  settings: SETTINGS,
  examples: EXAMPLES,
  load: () => import("../commands/setup.ts"),
});
