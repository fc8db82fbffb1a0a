import { type Args, defineCommand } from "../args/define.ts";
import { ALL_SETTINGS, MODE, RUN_FLAGS } from "./shared-args.ts";

const RUN_ARGS = {
  mode: MODE,
  ...RUN_FLAGS,
  monitor: { type: "boolean", alias: "m", description: "with the dashboard; inside tmux with panes", group: "output" },
  tmux: {
    type: "boolean",
    negatable: true,
    description: "in three tmux panes: loop, log, dashboard",
    group: "output",
  },
  detach: { type: "boolean", description: "in the background; ralph attach shows it", group: "output" },
  json: { type: "boolean", description: "print the lines of the journal", group: "output" },
} as const satisfies Args;
export type RunArgs = typeof RUN_ARGS;

export const RUN = defineCommand({
  meta: { name: "run", description: "run the agent again and again until the work is done" },
  args: RUN_ARGS,
  settings: ALL_SETTINGS,
  exclusive: [
    ["mode", "prompt", "task"],
    ["json", "monitor"],
    ["json", "detach"],
    ["json", "tmux"],
    ["detach", "tmux"],
  ],
  examples: [
    ["ralph run", "the loop, with .ralph/PROMPT.md"],
    ["ralph run plan --max-iterations 5", "five iterations at most of PROMPT-plan.md"],
    ["ralph run --driver codex --max-tokens 2000000", "another agent, and a bound"],
    ['ralph run --task "Fix the failing tests"', "no files needed"],
  ],
  load: () => import("../commands/run.ts"),
});
