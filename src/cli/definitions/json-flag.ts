import type { Args } from "../args/define.ts";

/** `--json`, apart from what other commands share: that takes the table of all settings. */
export const JSON_FLAG = { type: "boolean", description: "print JSON", group: "output" } as const;

/** The arguments of a command that has no flag but `--json`. */
export const JSON_ARGS = { json: JSON_FLAG } as const satisfies Args;
export type JsonArgs = typeof JSON_ARGS;
