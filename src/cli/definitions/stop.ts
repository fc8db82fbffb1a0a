import { type Args, defineCommand } from "../args/define.ts";

const STOP_ARGS = {
  now: { type: "boolean", description: "end the agent now, in the middle of its work", group: "task" },
  withdraw: { type: "boolean", description: "take a stop back", group: "task" },
} as const satisfies Args;
export type StopArgs = typeof STOP_ARGS;

export const STOP = defineCommand({
  meta: { name: "stop", description: "stop the live run after this iteration; extend: allow it more" },
  args: STOP_ARGS,
  exclusive: [["now", "withdraw"]],
  examples: [
    ["ralph stop", "lets the agent finish what it is doing"],
    ["ralph stop --now", "ends it now; the next run goes on in its session"],
  ],
  load: () => import("../commands/stop.ts"),
});
