import { type Args, defineCommand } from "../args/define.ts";

const HELP_ARGS = {
  topic: {
    type: "positional",
    valueHint: "TOPIC",
    required: false,
    repeat: true,
    description: "a command, or exit-codes",
    completes: "commands",
  },
} as const satisfies Args;
export type HelpArgs = typeof HELP_ARGS;

export const HELP = defineCommand({
  meta: { name: "help", description: "help on a command, or on exit-codes" },
  args: HELP_ARGS,
  examples: [
    ["ralph help run", "the flags of run"],
    ["ralph help exit-codes", "every way a run can end"],
  ],
  load: () => import("../commands/help.ts"),
});
