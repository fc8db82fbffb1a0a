import { defineCommand } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";

export const STATUS = defineCommand({
  meta: { name: "status", description: "the last known state, in ten lines; ps, ui: all projects" },
  args: JSON_ARGS,
  examples: [
    ["ralph status", "what the loop is doing, or how it ended"],
    ["ralph status --json", "the same for programs"],
  ],
  load: () => import("../commands/status.ts"),
});
