import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS, JSON_FLAG } from "./json-flag.ts";

export const RUNS_LIST = defineCommand({
  meta: { name: "runs list", description: "the runs that are kept, and how each ended" },
  args: JSON_ARGS,
  examples: [["ralph runs", "outcome, iterations, cost and time of each run"]],
  load: () => import("../commands/runs-list.ts"),
});

const RUNS_PRUNE_ARGS = {
  keep: { type: "string", valueHint: "N", description: "how many runs to keep, at least 1", group: "task" },
  yes: { type: "boolean", description: "do not ask", group: "task" },
  json: JSON_FLAG,
} as const satisfies Args;
export type RunsPruneArgs = typeof RUNS_PRUNE_ARGS;

export const RUNS_PRUNE = defineCommand({
  meta: { name: "runs prune", description: "delete all but the newest runs" },
  args: RUNS_PRUNE_ARGS,
  examples: [["ralph runs prune --keep 20", "never the newest, never a live one; asks first"]],
  load: () => import("../commands/runs-prune.ts"),
});

export const RUNS = defineGroup({
  meta: { name: "runs", description: "the runs that are kept; prune deletes old ones" },
  subCommands: { list: RUNS_LIST, prune: RUNS_PRUNE },
  default: "list",
});
