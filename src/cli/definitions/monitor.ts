import { type Args, defineCommand } from "../args/define.ts";
import { RUN_NAME } from "./shared-args.ts";

const MONITOR_ARGS = { run: RUN_NAME } as const satisfies Args;
export type MonitorArgs = typeof MONITOR_ARGS;

export const MONITOR = defineCommand({
  meta: { name: "monitor", description: "full-screen dashboard of a live or finished run" },
  args: MONITOR_ARGS,
  examples: [
    ["ralph monitor", "the newest run, and whatever comes after it; leaving it stops nothing"],
    ["ralph monitor 3", "the third run"],
  ],
  load: () => import("../commands/monitor.ts"),
});

export const ATTACH = defineCommand({
  meta: { name: "attach", description: "the same as monitor" },
  args: MONITOR_ARGS,
  examples: [["ralph attach", "the dashboard of a run in the background"]],
  load: () => import("../commands/monitor.ts"),
});
