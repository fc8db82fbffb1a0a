import { type Args, defineCommand } from "../args/define.ts";
import { ALL_SETTINGS, JSON_FLAG, RUN_FLAGS } from "./shared-args.ts";

const CONFIG_ARGS = { ...RUN_FLAGS, json: JSON_FLAG } as const satisfies Args;
export type ConfigArgs = typeof CONFIG_ARGS;

export const CONFIG = defineCommand({
  meta: { name: "config", description: "effective settings, and where each comes from" },
  args: CONFIG_ARGS,
  settings: ALL_SETTINGS,
  exclusive: [["prompt", "task"]],
  examples: [
    ["ralph config", "changed settings first, then the defaults"],
    ["ralph config --json -c 50", "what a flag of run would change"],
  ],
  load: () => import("../commands/config.ts"),
});
