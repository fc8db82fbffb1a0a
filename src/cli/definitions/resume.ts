import { defineCommand } from "../args/define.ts";
import { ALL_SETTINGS } from "./shared-args.ts";

export const RESUME = defineCommand({
  meta: { name: "resume", description: "let a paused run go on, or go on with the newest run's work" },
  args: {},
  settings: ALL_SETTINGS.filter((name) => name !== "PROMPT_FILE"),
  examples: [["ralph resume", "ends a pause; else a new run with the task and flags of the newest"]],
  load: () => import("../commands/resume.ts"),
});
