import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";
import { RUN_NAME } from "./shared-args.ts";

const REPLAY_ARGS = {
  run: RUN_NAME,
  monitor: { type: "boolean", alias: "m", description: "on the dashboard, in place of lines", group: "output" },
  speed: {
    type: "string",
    valueHint: "N",
    description: "N times as fast (on a terminal: 1; no pause is over 2 s)",
    group: "output",
  },
  step: { type: "boolean", description: "paused: → shows the next event, space plays on", group: "output" },
  iteration: { type: "string", valueHint: "N", description: "begin with this iteration", group: "output" },
  live: {
    type: "boolean",
    alias: "l",
    negatable: true,
    description: "with the agent's text and tools (yes)",
    group: "output",
  },
  "what-if": {
    type: "string",
    repeat: true,
    valueHint: "NAME=VALUE",
    description: "where it would have ended with this setting; may repeat",
    group: "task",
  },
  json: { ...JSON_FLAG, description: "print JSON, with --what-if" },
} as const satisfies Args;
export type ReplayArgs = typeof REPLAY_ARGS;

export const REPLAY = defineCommand({
  meta: { name: "replay", description: "a run played back, as it was shown live" },
  args: REPLAY_ARGS,
  exclusive: [
    ["speed", "step"],
    ["what-if", "monitor"],
    ["what-if", "speed"],
    ["what-if", "step"],
    ["what-if", "iteration"],
    ["what-if", "live"],
  ],
  examples: [
    ["ralph replay", "the newest run; space pauses, + and - change the speed, q leaves"],
    ["ralph replay 3 --speed 10", "the third run, ten times as fast"],
    ["ralph replay -m", "on the dashboard, where one can jump to any iteration"],
    ["ralph replay --iteration 7 --step", "event by event from the seventh iteration on"],
    ["ralph replay 3 --what-if MAX_ITERATIONS=5", "where it would have ended, and what it would have cost"],
  ],
  load: () => import("../commands/replay.ts"),
});
