import { defineCommand } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";
import { ALL_SETTINGS } from "./shared-args.ts";

export const DOCTOR = defineCommand({
  meta: { name: "doctor", description: "every precondition of a run, and how to fix it" },
  args: JSON_ARGS,
  settings: ALL_SETTINGS,
  examples: [
    ["ralph doctor", "is everything there that a run needs?"],
    ["ralph doctor --driver codex --json", "for another agent, for programs"],
  ],
  load: () => import("../commands/doctor.ts"),
});
