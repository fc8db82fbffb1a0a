import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { RUN_NAME } from "./shared-args.ts";

const DIFF_ARGS = {
  run: {
    ...RUN_NAME,
    valueHint: "RUN|A..B",
    description: "a run (default: the newest), or from checkpoint A to B",
    completes: "runs",
  },
  iteration: { type: "string", valueHint: "N", description: "only this iteration", group: "output" },
  task: {
    type: "string",
    valueHint: "TASK",
    description: "only the iterations of a task: its number or words",
    group: "output",
  },
  stat: { type: "boolean", description: "a row for each file, without its lines", group: "output" },
  json: JSON_FLAG,
} as const satisfies Args;
export type DiffArgs = typeof DIFF_ARGS;

export const DIFF = defineCommand({
  meta: { name: "diff", description: "what a run changed, as a diff" },
  args: DIFF_ARGS,
  examples: [
    ["ralph diff", "the newest run: its commits, and what is not committed"],
    ["ralph diff 3 --iteration 7", "one iteration of the third run"],
    ["ralph diff --task 2", "a task of the plan (ralph plan), whichever run did it"],
    ["ralph diff 2..5", "between two checkpoints (ralph checkpoints); 2.. is up to now"],
    ["ralph diff --stat", "only the files, and how many lines"],
    ["ralph diff 3 > run.patch", "a patch for git apply"],
  ],
  load: () => import("../commands/diff.ts"),
});
