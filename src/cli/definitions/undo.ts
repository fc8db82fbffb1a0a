import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const UNDO_ARGS = {
  iteration: {
    type: "positional",
    valueHint: "N",
    required: false,
    description: "undo this iteration and those after it (default: the last)",
  },
  to: {
    type: "string",
    valueHint: "NAME",
    description: "as this checkpoint has the files (ralph checkpoints)",
    group: "task",
  },
  task: {
    type: "string",
    valueHint: "TASK",
    description: "only what this task changed: its number in ralph plan, or its words",
    group: "task",
  },
  json: JSON_FLAG,
} as const satisfies Args;
export type UndoArgs = typeof UNDO_ARGS;

export const UNDO = defineCommand({
  meta: { name: "undo", description: "the files as they were before an iteration" },
  args: UNDO_ARGS,
  exclusive: [["iteration", "to", "task"]],
  examples: [
    ["ralph undo", "before the last iteration of the newest run; commits stay"],
    ["ralph undo 3", "before its third iteration"],
    ["ralph undo --task 4", "without the fourth task of the plan, but with what came after it"],
    ["ralph undo --to undo-1", "takes the first undo back"],
    ["ralph undo --to 4/7", "as the seventh iteration of the fourth run left them"],
  ],
  load: () => import("../commands/undo.ts"),
});
