import { SETTING_NAMES, settingSpec } from "../../core/settings/settings.ts";
import type { Args } from "../args/define.ts";

export const JSON_FLAG = { type: "boolean", description: "print JSON", group: "output" } as const;

export const ALL_SETTINGS = SETTING_NAMES.filter((name) => settingSpec(name).flag !== undefined);

export const TASK = {
  type: "string",
  valueHint: "TEXT",
  description: "do this, without any files",
  group: "task",
} as const;

export const MODE = {
  type: "positional",
  valueHint: "MODE",
  required: false,
  description: "use PROMPT-MODE.md",
} as const;

export const RUN_FLAGS = {
  task: TASK,
  live: {
    type: "boolean",
    alias: "l",
    negatable: true,
    description: "show the agent's work live (on a terminal: yes)",
    group: "output",
  },
  "dry-run": { type: "boolean", description: "print what would be sent, and start nothing", group: "output" },
} as const satisfies Args;

export const RUN_NAME = {
  type: "positional",
  valueHint: "RUN",
  required: false,
  description: "a run (default: the newest)",
} as const;
