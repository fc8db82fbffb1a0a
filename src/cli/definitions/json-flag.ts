/** `--json`, apart from what other commands share: that takes the table of all settings. */
export const JSON_FLAG = { type: "boolean", description: "print JSON", group: "output" } as const;
