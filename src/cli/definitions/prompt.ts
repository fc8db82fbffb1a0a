import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { ALL_SETTINGS, MODE, TASK } from "./shared-args.ts";

const PROMPT_ARGS = { mode: MODE, task: TASK, json: JSON_FLAG } as const satisfies Args;
export type PromptArgs = typeof PROMPT_ARGS;

export const PROMPT = defineCommand({
  meta: { name: "prompt", description: "exactly what the next iteration would send; analyze: answers" },
  args: PROMPT_ARGS,
  settings: ALL_SETTINGS,
  exclusive: [["mode", "prompt", "task"]],
  examples: [
    ["ralph prompt", "prompt, context, command line, names of variables"],
    ["ralph prompt plan --driver codex", "another mode and agent"],
  ],
  load: () => import("../commands/prompt.ts"),
});
