import { expect, test } from "bun:test";
import type { EventBody } from "../../src/core/event.ts";
import { initialState } from "../../src/core/state.ts";
import { activityOf } from "../../src/view/dashboard/activity.ts";
import { linesOf } from "../../src/view/line.ts";
import { style } from "../../src/view/style.ts";
import { eventsOf } from "./sample-run.ts";

const passed = { type: "gate_finished", command: "npm test", exit_code: 0, ms: 900, timed_out: false, output: "" };
const options = { width: 72, style: style(false), shorten: (text: string) => text, verbose: false, live: true };

test.each([
  ["that passed", {}, "✓", "good"],
  ["that failed", { exit_code: 1 }, "✗", "bad"],
  ["that was ended, though it ended well", { timed_out: true }, "✗", "bad"],
] as const)("a gate %s has the same mark wherever it is shown", (_name, more, mark, tone) => {
  const state = initialState("/project");
  const [event] = eventsOf([{ ...passed, ...more } as EventBody]);
  if (event === undefined) throw new Error("no event");
  expect(linesOf(event, state, state, options)[0]).toStartWith(`  ${mark} gate: npm test`);
  expect(activityOf(event, state, state)?.tone).toBe(tone);
});
