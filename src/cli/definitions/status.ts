import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const STATUS_ARGS = { json: JSON_FLAG } as const satisfies Args;
export type StatusArgs = typeof STATUS_ARGS;

export const STATUS = defineCommand({
  meta: { name: "status", description: "the last known state, in ten lines; ps, ui: all projects" },
  args: STATUS_ARGS,
  settings: [],
  examples: [
    ["ralph status", "what the loop is doing, or how it ended"],
    ["ralph status --json", "the same for programs"],
  ],
  load: () => import("../commands/status.ts"),
});
