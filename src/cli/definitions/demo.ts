import { type Args, defineCommand } from "../args/define.ts";

const DEMO_ARGS = {
  keep: { type: "boolean", description: "keep the project, to look at it with the other commands" },
} as const satisfies Args;
export type DemoArgs = typeof DEMO_ARGS;

export const DEMO = defineCommand({
  meta: { name: "demo", description: "the whole loop with a scripted agent: no account, no network" },
  args: DEMO_ARGS,
  examples: [
    ["ralph demo", "watch a small project being finished in seconds"],
    ["ralph demo --keep", "and then look at its report, its log, its dashboard"],
  ],
  load: () => import("../commands/demo.ts"),
});
