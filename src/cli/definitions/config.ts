import { SETTING_NAMES } from "../../core/settings/settings.ts";
import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";
import { ALL_SETTINGS } from "./shared-args.ts";

export const CONFIG_LIST = defineCommand({
  meta: { name: "config list", description: "effective settings, and where each comes from" },
  args: JSON_ARGS,
  settings: ALL_SETTINGS,
  examples: [
    ["ralph config", "changed settings first, then the defaults"],
    ["ralph config --json -c 50", "what a flag of run would change"],
  ],
  load: () => import("../commands/config-list.ts"),
});

const CONFIG_GET_ARGS = {
  name: { type: "positional", valueHint: "NAME", required: true, description: "the setting", completes: SETTING_NAMES },
} as const satisfies Args;
export type ConfigGetArgs = typeof CONFIG_GET_ARGS;

export const CONFIG_GET = defineCommand({
  meta: { name: "config get", description: "the value of one setting, for scripts" },
  args: CONFIG_GET_ARGS,
  examples: [["ralph config get MAX_TIME", "an empty line if it has none"]],
  load: () => import("../commands/config-get.ts"),
});

const USER = { type: "boolean", description: "for all your projects, not for this one" } as const;

const CONFIG_SET_ARGS = {
  words: {
    type: "positional",
    valueHint: "NAME=VALUE...",
    required: true,
    repeat: true,
    description: "settings, or one as NAME VALUE",
    completes: SETTING_NAMES,
  },
  user: USER,
} as const satisfies Args;
export type ConfigSetArgs = typeof CONFIG_SET_ARGS;

export const CONFIG_SET = defineCommand({
  meta: { name: "config set", description: "write settings into the settings file" },
  args: CONFIG_SET_ARGS,
  examples: [
    ["ralph config set MAX_TIME=8h MAX_ITERATIONS=30", "bounds of this project"],
    ["ralph config set --user PLATFORM_DRIVER codex", "a default for all projects"],
  ],
  load: () => import("../commands/config-set.ts"),
});

const CONFIG_UNSET_ARGS = {
  names: {
    type: "positional",
    valueHint: "NAME...",
    required: true,
    repeat: true,
    description: "settings",
    completes: SETTING_NAMES,
  },
  user: USER,
} as const satisfies Args;
export type ConfigUnsetArgs = typeof CONFIG_UNSET_ARGS;

export const CONFIG_UNSET = defineCommand({
  meta: { name: "config unset", description: "take settings out of the settings file" },
  args: CONFIG_UNSET_ARGS,
  examples: [["ralph config unset MAX_TIME", "the default again"]],
  load: () => import("../commands/config-unset.ts"),
});

const CONFIG_EDIT_ARGS = { user: USER } as const satisfies Args;
export type ConfigEditArgs = typeof CONFIG_EDIT_ARGS;

export const CONFIG_EDIT = defineCommand({
  meta: { name: "config edit", description: "open the settings file in your editor" },
  args: CONFIG_EDIT_ARGS,
  examples: [["ralph config edit --user", "the defaults for all your projects"]],
  load: () => import("../commands/config-edit.ts"),
});

export const CONFIG = defineGroup({
  meta: { name: "config", description: "settings: what is in effect and why; change them" },
  subCommands: { list: CONFIG_LIST, get: CONFIG_GET, set: CONFIG_SET, unset: CONFIG_UNSET, edit: CONFIG_EDIT },
  default: "list",
});
