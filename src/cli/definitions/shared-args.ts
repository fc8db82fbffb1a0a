import { SETTING_NAMES, settingSpec } from "../../core/settings/settings.ts";
import type { Args, CommandWords } from "../args/define.ts";

export const ALL_SETTINGS = SETTING_NAMES.filter((name) => settingSpec(name).flag !== undefined);

/** The settings that a new project's file gets from flags. */
export const SETUP_SETTINGS = [
  "PLATFORM_DRIVER",
  "CLAUDE_PERMISSION_MODE",
  "MAX_CALLS_PER_HOUR",
  "MAX_ITERATIONS",
  "MAX_COST_USD",
  "MAX_TIME",
] as const;

export const TASK = {
  type: "string",
  valueHint: "TEXT",
  description: "do this, without any files",
  group: "task",
} as const;

export const MODE = {
  type: "positional",
  valueHint: "MODE",
  required: false,
  description: "use PROMPT-MODE.md",
} as const;

export const RUN_NAME = {
  type: "positional",
  valueHint: "RUN",
  required: false,
  description: "a run (default: the newest)",
} as const;

const RUN_ARGS = {
  mode: MODE,
  task: TASK,
  live: {
    type: "boolean",
    alias: "l",
    negatable: true,
    description: "show the agent's work live (on a terminal: yes)",
    group: "output",
  },
  "dry-run": { type: "boolean", description: "print what would be sent, and start nothing", group: "output" },
  monitor: { type: "boolean", alias: "m", description: "with the dashboard; inside tmux with panes", group: "output" },
  tmux: {
    type: "boolean",
    negatable: true,
    description: "in three tmux panes: loop, log, dashboard",
    group: "output",
  },
  worktree: {
    type: "string",
    valueHint: "NAME",
    impliedValue: "",
    description: "in a git worktree of its own, on branch ralph/NAME",
    group: "project",
  },
  detach: { type: "boolean", description: "in the background; ralph attach shows it", group: "output" },
  json: { type: "boolean", description: "print the lines of the journal", group: "output" },
  shard: {
    type: "string",
    valueHint: "I/N",
    impliedValue: "",
    description: "be one of several workers that share the plan",
    group: "fleet",
  },
  claim: {
    type: "string",
    valueHint: "TASK",
    description: "work on this task alone, by its id (swarm)",
    group: "fleet",
  },
  hub: { type: "string", valueHint: "REMOTE", description: "where workers meet (default: origin)", group: "fleet" },
  onto: { type: "string", valueHint: "BRANCH", description: "the branch that the work is for", group: "fleet" },
} as const satisfies Args;

/** The words of `ralph run`, apart from its code: a run that goes on with another reads that one's words. */
export const RUN_WORDS = {
  meta: { name: "run", description: "run the agent again and again until the work is done" },
  args: RUN_ARGS,
  settings: ALL_SETTINGS,
  exclusive: [
    ["mode", "prompt", "task"],
    ["json", "monitor"],
    ["json", "detach"],
    ["json", "tmux"],
    ["detach", "tmux"],
    ["shard", "claim"],
    ["shard", "task"],
    ["claim", "task"],
    ["shard", "detach"],
    ["shard", "dry-run"],
  ],
  examples: [
    ["ralph run", "the loop, with .ralph/PROMPT.md"],
    ["ralph run plan --max-iterations 5", "five iterations at most of PROMPT-plan.md"],
    ["ralph run --driver codex --max-tokens 2000000", "another agent, and a bound"],
    ['ralph run --task "Fix the failing tests"', "no files needed"],
  ],
} as const satisfies CommandWords;
