import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const STATS_ARGS = {
  all: { type: "boolean", alias: "a", description: "the runs of all your projects (ralph ps)", group: "output" },
  json: JSON_FLAG,
} as const satisfies Args;
export type StatsArgs = typeof STATS_ARGS;

export const STATS = defineCommand({
  meta: { name: "stats", description: "how runs end, and which settings would have saved money" },
  args: STATS_ARGS,
  examples: [
    ["ralph stats", "how runs of this project end, and what other settings would have changed"],
    ["ralph stats --all", "of all your projects"],
    ["ralph replay 3 --what-if MAX_ITERATIONS=5", "the same question about one run"],
  ],
  load: () => import("../commands/stats.ts"),
});
