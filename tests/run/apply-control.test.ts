import { describe, expect, test } from "bun:test";
import { type ControlCommand, formatControl, parseControl } from "../../src/core/control-command.ts";
import type { EventBody } from "../../src/core/journal/event.ts";
import type { State } from "../../src/core/journal/state.ts";
import { applyControlCommand } from "../../src/run/apply-control.ts";
import { createRecorder } from "../../src/run/recorder.ts";
import { createStopController } from "../../src/run/stop-controller.ts";
import { NOON, settingsOf, stateOf } from "../core/given.ts";

const bounded = { settings: { ...settingsOf({ MAX_ITERATIONS: 3 }) } };

/** What a run records when it is told some things in a row. */
function told(commands: readonly ControlCommand[], about: Partial<State> = bounded) {
  const written: EventBody[] = [];
  const recorder = createRecorder({
    run: "r",
    state: stateOf(about),
    now: () => NOON,
    write: (events) => void written.push(...events),
    sync: () => {},
    subscribers: [],
  });
  const stops = createStopController((how, by) => recorder.append({ type: "stop_requested", how, by }));
  const wait = stops.waitSignal;
  for (const command of commands) applyControlCommand(command, { recorder, stops });
  return { types: written.map(({ type }) => type), state: recorder.state(), stops, woken: wait.aborted };
}

const stop = (how: "now" | "after_iteration"): ControlCommand => ({ command: "stop", how });

test.each<[string, ControlCommand[], string[], boolean]>([
  ["a message is recorded and ends no wait", [{ command: "say", text: "x" }], ["said"], false],
  ["a pause ends the wait, so that it is one", [{ command: "pause" }], ["paused"], true],
  ["a second pause is none", [{ command: "pause" }, { command: "pause" }], ["paused"], true],
  ["going on needs a pause", [{ command: "resume" }], [], false],
  ["a pause ends", [{ command: "pause" }, { command: "resume" }], ["paused", "resumed"], true],
  ["a stop is asked for once", [stop("after_iteration"), stop("after_iteration")], ["stop_requested"], true],
  ["a stop can become one now", [stop("after_iteration"), stop("now")], ["stop_requested", "stop_requested"], true],
  [
    "a stop can be withdrawn",
    [stop("after_iteration"), { command: "withdraw" }],
    ["stop_requested", "stop_withdrawn"],
    true,
  ],
  ["but not one now", [stop("now"), { command: "withdraw" }], ["stop_requested"], true],
  ["nothing is withdrawn without a stop", [{ command: "withdraw" }], [], false],
  ["a bound is raised", [{ command: "extend", iterations: 2 }], ["bound_raised"], false],
])("%s", (_, commands, types, woken) => {
  expect(told(commands)).toMatchObject({ types, woken });
});

test("without a bound, raising it is a note", () => {
  expect(told([{ command: "extend", iterations: 1 }], { settings: { ...settingsOf() } }).types).toEqual(["note"]);
});

test("a run that is over hears nothing", () => {
  const finished = { reason: "blocked", exit_code: 6, sentence: "", at: "" } as const;
  expect(told([{ command: "pause" }, stop("now")], { finished }).types).toEqual([]);
});

test("after a withdrawn stop waits are waits again, and Ctrl+C asks first again", () => {
  const { stops, state } = told([stop("after_iteration"), { command: "withdraw" }]);
  expect(state.stop_requested).toBeNull();
  expect(stops.waitSignal.aborted).toBe(false);
  stops.request("SIGINT");
  expect(stops.killSignal.aborted).toBe(false);
  stops.request("SIGINT");
  expect(stops.killSignal.aborted).toBe(true);
});

describe("a command's file", () => {
  test.each<ControlCommand>([
    { command: "say", text: "ü \u2028 \n" + "x" },
    stop("now"),
    { command: "withdraw" },
    { command: "extend", iterations: 3 },
  ])("holds %j", (command) => {
    expect(parseControl(formatControl("r", command), "r")).toEqual(command);
    expect(parseControl(formatControl("r", command), "other")).toBeNull();
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"run":"r"}',
    '{"run":"r","command":{"command":"rm"}}',
    '{"run":"r","command":{"command":"extend","iterations":-1}}',
    '{"run":"r","command":{"command":"say","text":" "}}',
  ])("%j is none", (text) => expect(parseControl(text, "r")).toBeNull());
});
