import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { RUN_WORDS } from "./shared-args.ts";

const SWARM_ARGS = {
  workers: {
    type: "positional",
    valueHint: "N",
    required: false,
    description: "how many workers (default: 3)",
  },
  onto: {
    type: "string",
    valueHint: "BRANCH",
    description: "the branch that gets the work (default: what is checked out)",
    group: "task",
  },
  untested: { type: "boolean", description: "land although there is no gate", group: "task" },
  json: { ...JSON_FLAG, description: "print the lines of the journal" },
} as const satisfies Args;
export type SwarmArgs = typeof SWARM_ARGS;

export const SWARM = defineCommand({
  meta: { name: "swarm", description: "several workers on one plan; their work is landed" },
  args: SWARM_ARGS,
  settings: RUN_WORDS.settings,
  examples: [
    ["ralph swarm", "three workers, until all tasks are landed"],
    ["ralph swarm 5 --max-cost 20", "five, which share the bound"],
  ],
  load: () => import("../commands/swarm.ts"),
});
