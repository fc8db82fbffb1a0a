import { type Args, defineCommand } from "../args/define.ts";

const SAY_ARGS = {
  text: { type: "positional", valueHint: "TEXT", required: true, repeat: true, description: "what to say" },
} as const satisfies Args;
export type SayArgs = typeof SAY_ARGS;

export const SAY = defineCommand({
  meta: { name: "say", description: "say something to the agent, of the live run or the next" },
  args: SAY_ARGS,
  examples: [
    [
      'ralph say "Use yargs, not commander"',
      "goes into the next prompt, as a note; without a live run into the first of the next",
    ],
  ],
  load: () => import("../commands/say.ts"),
});
