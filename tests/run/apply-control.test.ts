import { describe, expect, test } from "bun:test";
import { type ControlCommand, formatControl, parseControl } from "../../src/core/control-command.ts";
import { untestedGates } from "../../src/core/gates/gate-trust.ts";
import type { EventBody } from "../../src/core/journal/event.ts";
import type { State } from "../../src/core/journal/state.ts";
import { applyControlCommand } from "../../src/run/apply-control.ts";
import { createRecorder } from "../../src/run/recorder.ts";
import { createStopController } from "../../src/run/stop-controller.ts";
import { NOON, settingsOf, stateOf } from "../core/given.ts";

const bounded = { settings: { ...settingsOf({ MAX_ITERATIONS: 3 }) } };

/** The events that a run records for consecutive commands. */
function record(commands: readonly ControlCommand[], about: Partial<State> = bounded) {
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
  ["a message is recorded without ending the wait", [{ command: "say", text: "x" }], ["said"], false],
  ["a pause ends the current wait", [{ command: "pause" }], ["paused"], true],
  ["a second pause is not recorded", [{ command: "pause" }, { command: "pause" }], ["paused"], true],
  ["an answer to no open question is not recorded", [{ command: "answer", number: 1, text: "x" }], [], false],
  ["a resume without a pause is not recorded", [{ command: "resume" }], [], false],
  ["a resume ends the pause", [{ command: "pause" }, { command: "resume" }], ["paused", "resumed"], true],
  ["gates that did not get weaker are not accepted", [{ command: "accept_gates" }], [], false],
  ["a repeated stop is recorded once", [stop("after_iteration"), stop("after_iteration")], ["stop_requested"], true],
  [
    "a stop after the iteration can become immediate",
    [stop("after_iteration"), stop("now")],
    ["stop_requested", "stop_requested"],
    true,
  ],
  [
    "a stop after the iteration can be withdrawn",
    [stop("after_iteration"), { command: "withdraw" }],
    ["stop_requested", "stop_withdrawn"],
    true,
  ],
  ["an immediate stop cannot be withdrawn", [stop("now"), { command: "withdraw" }], ["stop_requested"], true],
  ["a withdrawal without a stop is not recorded", [{ command: "withdraw" }], [], false],
  ["a bound on iterations is raised", [{ command: "extend", iterations: 2 }], ["bound_raised"], false],
])("%s", (_, commands, types, woken) => {
  expect(record(commands)).toMatchObject({ types, woken });
});

test("raising a bound that does not exist is a note", () => {
  expect(record([{ command: "extend", iterations: 1 }], { settings: { ...settingsOf() } }).types).toEqual(["note"]);
});

test("a finished run ignores commands", () => {
  const finished = { reason: "blocked", exit_code: 6, sentence: "", at: "" } as const;
  expect(record([{ command: "pause" }, stop("now")], { finished }).types).toEqual([]);
});

test("after a withdrawn stop, waits go on and Ctrl+C lets the iteration finish first", () => {
  const { stops, state } = record([stop("after_iteration"), { command: "withdraw" }]);
  expect(state.stop_requested).toBeNull();
  expect(stops.waitSignal.aborted).toBe(false);
  stops.request("SIGINT");
  expect(stops.killSignal.aborted).toBe(false);
  stops.request("SIGINT");
  expect(stops.killSignal.aborted).toBe(true);
});

describe("a control command's file", () => {
  test.each<ControlCommand>([
    { command: "say", text: "ü \u2028 \n" + "x" },
    stop("now"),
    { command: "withdraw" },
    { command: "extend", iterations: 3 },
  ])("keeps %j as it is", (command) => {
    expect(parseControl(formatControl({ run: "r", pid: 7, command }), "r")).toEqual({ run: "r", pid: 7, command });
    expect(parseControl(formatControl({ run: "r", pid: 7, command }), "other")).toBeNull();
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
  ])("with the text %j is no command", (text) => expect(parseControl(text, "r")).toBeNull());
});

test.each<[string, ControlCommand, "waitSignal" | "none", Partial<State>]>([
  ["a resume ends the pause's wait", { command: "resume" }, "waitSignal", { paused: true }],
  ["a resume without a pause ends no wait", { command: "resume" }, "none", {}],
  ["a second pause ends no wait", { command: "pause" }, "none", { paused: true }],
])("%s", (_name, command, ends, about) => {
  expect(record([command], { ...bounded, ...about }).woken).toBe(ends === "waitSignal");
});

test("a raised bound adds its iterations", () => {
  expect(record([{ command: "extend", iterations: 2 }]).state.more_iterations).toBe(2);
});

test("a message after a stop request requests no other stop", () => {
  const { types, stops } = record([stop("after_iteration"), { command: "say", text: "x" }]);
  expect(types).toEqual(["stop_requested", "said"]);
  expect(stops.killSignal.aborted).toBe(false);
});

test("a person accepts weaker gates once", () => {
  const weakened = { commands: ["t"], evidence: "words" as const, reasons: [], diff: "", iteration: 1 };
  const accept: ControlCommand = { command: "accept_gates" };
  expect(parseControl(formatControl({ run: "r", pid: 7, command: accept }), "r")?.command).toEqual(accept);
  const { types, state } = record([accept, accept], { gate_trust: { ...untestedGates(), weakened, claims: 1 } });
  expect(types).toEqual(["gate_accepted"]);
  expect(state.gate_trust).toMatchObject({ weakened: null, claims: 0 });
});
