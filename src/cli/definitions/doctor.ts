import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { ALL_SETTINGS } from "./shared-args.ts";

const DOCTOR_ARGS = { json: JSON_FLAG } as const satisfies Args;
export type DoctorArgs = typeof DOCTOR_ARGS;

export const DOCTOR = defineCommand({
  meta: { name: "doctor", description: "every precondition of a run, and how to fix it" },
  args: DOCTOR_ARGS,
  settings: ALL_SETTINGS,
  examples: [
    ["ralph doctor", "is everything there that a run needs?"],
    ["ralph doctor --driver codex --json", "for another agent, for programs"],
  ],
  load: () => import("../commands/doctor.ts"),
});
