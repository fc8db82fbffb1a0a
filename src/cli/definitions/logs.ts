import { type Args, defineCommand } from "../args/define.ts";

const LOGS_ARGS = {
  run: { type: "positional", valueHint: "RUN", required: false, description: "a run (default: the newest)" },
  follow: {
    type: "boolean",
    alias: "f",
    description: "follow the run; without RUN, also the next one",
    group: "output",
  },
  iteration: { type: "string", valueHint: "N", description: "only this iteration", group: "output" },
  grep: { type: "string", valueHint: "TEXT", description: "only lines with this text, in any case", group: "output" },
  level: {
    type: "enum",
    options: ["info", "warn", "error"],
    valueHint: "LEVEL",
    description: "info (all), warn or error, and worse",
    group: "output",
  },
  json: { type: "boolean", description: "print the lines of the journal", group: "output" },
} as const satisfies Args;
export type LogsArgs = typeof LOGS_ARGS;

export const LOGS = defineCommand({
  meta: { name: "logs", description: "a run as readable lines; replay shows it as it was live" },
  args: LOGS_ARGS,
  examples: [
    ["ralph logs", "the newest run"],
    ["ralph logs -f", "the live run as it happens, and those after it"],
    ["ralph logs 3 --iteration 7 --grep error", "one iteration of the third run"],
  ],
  load: () => import("../commands/logs.ts"),
});
