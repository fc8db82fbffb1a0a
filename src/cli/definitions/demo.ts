import { defineCommand } from "../args/define.ts";

export const DEMO = defineCommand({
  meta: { name: "demo", description: "the whole loop with a scripted agent: no account, no network" },
  args: {},
  settings: [],
  examples: [["ralph demo", "watch a small project being finished in seconds"]],
  load: () => import("../commands/demo.ts"),
});
