import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS, JSON_FLAG } from "./json-flag.ts";

const DRIVER_NAME = {
  type: "positional",
  valueHint: "NAME",
  required: true,
  description: "a driver, or a file",
  completes: "drivers",
} as const;

export const DRIVERS_LIST = defineCommand({
  meta: { name: "drivers list", description: "the drivers that ralph finds" },
  args: JSON_ARGS,
  settings: ["RALPH_TRUST"],
  examples: [["ralph drivers", "which agents are installed, and what they can do"]],
  load: () => import("../commands/drivers-list.ts"),
});

const ONE_DRIVER_ARGS = { name: DRIVER_NAME, json: JSON_FLAG } as const satisfies Args;
export type OneDriverArgs = typeof ONE_DRIVER_ARGS;

export const DRIVERS_SHOW = defineCommand({
  meta: { name: "drivers show", description: "one driver: its program, version and capabilities" },
  args: ONE_DRIVER_ARGS,
  settings: ["RALPH_TRUST"],
  examples: [["ralph drivers show codex --json", "one driver, for programs"]],
  load: () => import("../commands/drivers-show.ts"),
});

const DRIVERS_TEST_ARGS = {
  name: DRIVER_NAME,
  yes: { type: "boolean", description: "agree to the calls", group: "agent" },
  json: JSON_FLAG,
} as const satisfies Args;
export type DriversTestArgs = typeof DRIVERS_TEST_ARGS;

export const DRIVERS_TEST = defineCommand({
  meta: { name: "drivers test", description: "a live test of one driver: one or two calls" },
  args: DRIVERS_TEST_ARGS,
  settings: [
    "RALPH_TRUST",
    "CLAUDE_MODEL",
    "CLAUDE_EFFORT",
    "CLAUDE_OUTPUT_FORMAT",
    "CLAUDE_PERMISSION_MODE",
    "ALLOWED_TOOLS",
  ],
  examples: [["ralph drivers test codex", "found, version, answer, tools, session, resumed"]],
  load: () => import("../commands/drivers-test.ts"),
});

export const DRIVERS_MODELS = defineCommand({
  meta: { name: "drivers models", description: "the models that an agent's CLI names" },
  args: ONE_DRIVER_ARGS,
  settings: ["RALPH_TRUST"],
  examples: [["ralph drivers models codex", "what --model can be"]],
  load: () => import("../commands/drivers-models.ts"),
});

export const DRIVERS = defineGroup({
  meta: { name: "drivers", description: "drivers found, and what they can do" },
  subCommands: { list: DRIVERS_LIST, show: DRIVERS_SHOW, models: DRIVERS_MODELS, test: DRIVERS_TEST },
  default: "list",
});
