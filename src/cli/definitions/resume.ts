import { defineCommand } from "../args/define.ts";

export const RESUME = defineCommand({
  meta: { name: "resume", description: "let a paused run go on" },
  args: {},
  settings: [],
  examples: [["ralph resume", "ends a pause"]],
  load: () => import("../commands/resume.ts"),
});
