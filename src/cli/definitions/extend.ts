import { type Args, defineCommand } from "../args/define.ts";

const EXTEND_ARGS = {
  iterations: { type: "positional", valueHint: "N", required: false, description: "how many more (1)" },
} as const satisfies Args;
export type ExtendArgs = typeof EXTEND_ARGS;

export const EXTEND = defineCommand({
  meta: { name: "extend", description: "allow the live run more iterations" },
  args: EXTEND_ARGS,
  examples: [["ralph extend 5", "five more than --max-iterations allows"]],
  load: () => import("../commands/extend.ts"),
});
