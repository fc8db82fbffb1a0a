import { defineCommand } from "../args/define.ts";
import { RUN_WORDS } from "./shared-args.ts";

export type RunArgs = typeof RUN_WORDS.args;

export const RUN = defineCommand({
  ...RUN_WORDS,
  load: () => import("../commands/run.ts"),
});
