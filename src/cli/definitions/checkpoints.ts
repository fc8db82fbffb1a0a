import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { RUN_NAME } from "./shared-args.ts";

const CHECKPOINTS_LIST_ARGS = { run: RUN_NAME, json: JSON_FLAG } as const satisfies Args;
export type CheckpointsListArgs = typeof CHECKPOINTS_LIST_ARGS;

export const CHECKPOINTS_LIST = defineCommand({
  meta: { name: "checkpoints list", description: "what the files of a run can be put back to" },
  args: CHECKPOINTS_LIST_ARGS,
  examples: [["ralph checkpoints", "those of the newest run; ralph undo --to NAME goes back to one"]],
  load: () => import("../commands/checkpoints-list.ts"),
});

const CHECKPOINTS_PRUNE_ARGS = {
  keep: { type: "string", valueHint: "N", description: "of how many runs to keep them, at least 1", group: "task" },
  yes: { type: "boolean", description: "do not ask", group: "task" },
  json: JSON_FLAG,
} as const satisfies Args;
export type CheckpointsPruneArgs = typeof CHECKPOINTS_PRUNE_ARGS;

export const CHECKPOINTS_PRUNE = defineCommand({
  meta: { name: "checkpoints prune", description: "delete the checkpoints of all but the newest runs" },
  args: CHECKPOINTS_PRUNE_ARGS,
  examples: [["ralph checkpoints prune --keep 5", "the runs stay; git gc frees the space"]],
  load: () => import("../commands/checkpoints-prune.ts"),
});

export const CHECKPOINTS = defineGroup({
  meta: { name: "checkpoints", description: "what undo can go back to: the files of each iteration" },
  subCommands: { list: CHECKPOINTS_LIST, prune: CHECKPOINTS_PRUNE },
  default: "list",
  takesWord: true,
});
