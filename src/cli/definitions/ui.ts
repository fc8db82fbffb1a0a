import { type Args, defineCommand, defineGroup } from "../args/define.ts";

const UI_ARGS = {
  port: {
    type: "string",
    valueHint: "N",
    description: "port of the page; default: one that is free",
    group: "project",
  },
  open: { type: "boolean", negatable: true, description: "open the browser", group: "output" },
  control: { type: "boolean", description: "let the page stop, pause, answer and say", group: "task" },
} as const satisfies Args;
export type UiArgs = typeof UI_ARGS;

const UI_OPEN = defineCommand({
  meta: { name: "ui open", description: "serve the page, until Ctrl+C" },
  args: UI_ARGS,
  settings: [],
  examples: [
    ["ralph ui", "all your projects and runs in the browser, read-only"],
    ["ralph ui --control", "with buttons that stop, pause, answer and say"],
  ],
  load: () => import("../commands/ui-open.ts"),
});

const UI_STOP = defineCommand({
  meta: { name: "ui stop", description: "end the page's server" },
  args: {},
  settings: [],
  examples: [["ralph ui stop", "runs go on"]],
  load: () => import("../commands/ui-stop.ts"),
});

export const UI = defineGroup({
  meta: { name: "ui", description: "all your projects and runs on a page in the browser" },
  subCommands: { open: UI_OPEN, stop: UI_STOP },
  default: "open",
  examples: [...UI_OPEN.examples, ...UI_STOP.examples],
});
