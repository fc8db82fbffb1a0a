import { defineCommand } from "../args/define.ts";

export const PAUSE = defineCommand({
  meta: { name: "pause", description: "hold the live run: no further call until resume" },
  args: {},
  examples: [["ralph pause", "after this iteration, until ralph resume"]],
  load: () => import("../commands/pause.ts"),
});
