import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./shared-args.ts";

const PLAN_ARGS = {
  file: { type: "positional", valueHint: "FILE", required: false, description: "a plan (default: the project's)" },
  json: JSON_FLAG,
} as const satisfies Args;
export type PlanArgs = typeof PLAN_ARGS;

export const PLAN = defineCommand({
  meta: { name: "plan", description: "the fix plan, counted, and the next tasks" },
  args: PLAN_ARGS,
  settings: [],
  examples: [
    ["ralph plan", "what is done and what comes next"],
    ["ralph plan TODO.md --json", "another plan, for programs"],
  ],
  load: () => import("../commands/plan.ts"),
});
