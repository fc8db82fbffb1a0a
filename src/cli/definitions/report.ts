import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { RUN_NAME } from "./shared-args.ts";

const REPORT_ARGS = {
  run: RUN_NAME,
  html: {
    type: "string",
    valueHint: "FILE",
    description: "write one page for a browser; - is stdout",
    group: "output",
  },
  json: JSON_FLAG,
} as const satisfies Args;
export type ReportArgs = typeof REPORT_ARGS;

export const REPORT = defineCommand({
  meta: { name: "report", description: "receipts of a run: cost, time, gates, why; diff: its changes" },
  args: REPORT_ARGS,
  examples: [
    ["ralph report", "each iteration, each task, and the whole run"],
    ["ralph report 3 --html report.html", "with charts and the transcript, in one file"],
    ["ralph report --json", "the same for programs"],
  ],
  load: () => import("../commands/report.ts"),
});
