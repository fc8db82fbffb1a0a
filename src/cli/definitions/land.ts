import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const LAND_ARGS = {
  branch: {
    type: "positional",
    valueHint: "BRANCH...",
    required: false,
    repeat: true,
    description: "land these (default: all work that was handed in)",
  },
  onto: {
    type: "string",
    valueHint: "BRANCH",
    description: "the branch to land on (default: what is checked out)",
    group: "task",
  },
  remote: {
    type: "string",
    valueHint: "REMOTE",
    description: "land there: its queue, its branches, its main branch",
    group: "task",
  },
  untested: { type: "boolean", description: "land although there is no gate", group: "task" },
  "accept-weaker": { type: "boolean", description: "also what makes the gates weaker", group: "task" },
  "dry-run": { type: "boolean", description: "show what would be landed, and change nothing", group: "output" },
  json: JSON_FLAG,
} as const satisfies Args;
export type LandArgs = typeof LAND_ARGS;

export const LAND = defineCommand({
  meta: { name: "land", description: "put finished branches on the target, each tested first" },
  args: LAND_ARGS,
  settings: ["TASKS_FILE"],
  examples: [
    ["ralph land", "all work that workers have handed in"],
    ["ralph land topic fix-7", "branches that anybody made"],
    ["ralph land --remote origin", "the queue of a fleet"],
    ["ralph land --dry-run", "what is waiting"],
  ],
  load: () => import("../commands/land.ts"),
});
