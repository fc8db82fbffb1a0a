import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const PS_ARGS = {
  all: { type: "boolean", alias: "a", description: "the newest run of every project, however old", group: "output" },
  json: JSON_FLAG,
} as const satisfies Args;
export type PsArgs = typeof PS_ARGS;

export const PS = defineCommand({
  meta: { name: "ps", description: "your runs in all projects, and what needs you" },
  args: PS_ARGS,
  examples: [
    ["ralph ps", "live runs, those that need you, and those of the last day"],
    ["ralph stop -C shop", "a listed project goes by the name of its folder"],
  ],
  load: () => import("../commands/ps.ts"),
});
