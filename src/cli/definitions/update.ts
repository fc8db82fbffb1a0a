import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const UPDATE_ARGS = {
  check: { type: "boolean", description: "only check whether there is one", group: "task" },
  json: JSON_FLAG,
} as const satisfies Args;
export type UpdateArgs = typeof UPDATE_ARGS;

export const UPDATE = defineCommand({
  meta: { name: "update", description: "replace this program with the newest release" },
  args: UPDATE_ARGS,
  examples: [
    ["ralph update --check", "is there a newer one?"],
    ["ralph update", "download it, verify it, put it in place"],
  ],
  load: () => import("../commands/update.ts"),
});
