import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";

export const GATES_LIST = defineCommand({
  meta: { name: "gates list", description: "the gates, their last results, and whether they got weaker" },
  args: JSON_ARGS,
  examples: [["ralph gates", "what checks the work, and what changed in it"]],
  load: () => import("../commands/gates-list.ts"),
});

export const GATES_ACCEPT = defineCommand({
  meta: { name: "gates accept", description: "take weaker gates as they are: a person wants them so" },
  args: {},
  examples: [["ralph gates accept", "when you have seen what changed"]],
  load: () => import("../commands/gates-accept.ts"),
});

export const GATES_RESTORE = defineCommand({
  meta: {
    name: "gates restore",
    description: "put the files of the gates back as they were; what is replaced is kept",
  },
  args: {},
  examples: [["ralph gates restore", "after a run that ended with gate_weakened"]],
  load: () => import("../commands/gates-restore.ts"),
});

const GATES_ADOPT_ARGS = {
  command: {
    type: "positional",
    valueHint: "COMMAND",
    required: false,
    repeat: true,
    description: "the check (default: the one that is found)",
  },
} as const satisfies Args;
export type GatesAdoptArgs = typeof GATES_ADOPT_ARGS;

export const GATES_ADOPT = defineCommand({
  meta: { name: "gates adopt", description: "make a check of the project a gate of its runs" },
  args: GATES_ADOPT_ARGS,
  examples: [
    ["ralph gates adopt", "the test command that is found in the project"],
    ['ralph gates adopt "make check"', "another one"],
  ],
  load: () => import("../commands/gates-adopt.ts"),
});

export const GATES = defineGroup({
  meta: { name: "gates", description: "what checks the work, and whether it got weaker" },
  subCommands: { list: GATES_LIST, accept: GATES_ACCEPT, restore: GATES_RESTORE, adopt: GATES_ADOPT },
  default: "list",
});
