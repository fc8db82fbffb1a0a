import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { SETUP_SETTINGS } from "./shared-args.ts";

const SETUP_ARGS = {
  folder: { type: "positional", valueHint: "NAME", required: false, description: "a new folder (default: this one)" },
  yes: { type: "boolean", alias: "y", description: "ask nothing: take what is found", group: "task" },
  task: { type: "string", valueHint: "TEXT", description: "what is to be done, in words of yours", group: "task" },
  from: {
    type: "string",
    valueHint: "FILE",
    description: "take tasks from this, or from: prd, github, beads, bmad, none",
    group: "task",
  },
  prd: { type: "string", valueHint: "FILE", description: "the same as --from FILE", group: "task" },
  "dry-run": { type: "boolean", description: "show what would change, and change nothing", group: "task" },
  start: { type: "boolean", description: "begin the first run when the files are written", group: "task" },
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

const WORDS = {
  args: SETUP_ARGS,
  settings: SETUP_SETTINGS,
  exclusive: [
    ["json", "start"],
    ["dry-run", "start"],
  ],
  examples: [
    ["ralph setup", "asks what is to be done, and starts; later: the settings"],
    ["ralph setup shop", "a new project with a git repository"],
    ["ralph setup --yes --from TODO.md --start", "asks nothing"],
  ],
  load: () => import("../commands/setup.ts"),
} as const;

export const SETUP = defineCommand({
  meta: { name: "setup", description: "make this folder, or a new one, a Ralph project" },
  ...WORDS,
});

export const ENABLE = defineCommand({ meta: { name: "enable", description: "the same as setup" }, ...WORDS });
