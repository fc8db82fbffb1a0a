import { describe, expect, test } from "bun:test";
import { decide } from "../../../src/core/decide/decide.ts";
import type { GateRecord } from "../../../src/core/decide/gate-rules.ts";
import { couldProve } from "../../../src/core/decide/proven.ts";
import type { State } from "../../../src/core/journal/state.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { type Headway, noHeadway } from "../../../src/core/stop/headway.ts";
import { NOON, recordOf, settingsOf, stateOf } from "../given.ts";

const command = "npm test";
const gate = (ok: boolean): GateRecord => ({ command, ok, exit_code: ok ? 0 : 1, timed_out: false, tail: "" });
const empty: GateRecord = { ...gate(true), no_tests: true };
const other: GateRecord = { ...gate(true), command: "npm run lint" };
const settings: Partial<Settings> = { DONE_POLICY: "evidence", TEST_COMMAND: command };
const open = { total: 1, checked: 0, unchecked: 1, blocking_unchecked: 1 };

/** A run that worked and then had nothing to do in three answers, with a gate that work turned green. */
function quiet(headway: Partial<Headway> = {}, about: Partial<State> = {}): State {
  const gates = { [command]: "turned" } as const;
  return stateOf({
    last: recordOf(),
    gates: [gate(true)],
    headway: { ...noHeadway(), worked: true, idle: 3, quiet: headway.idle ?? 3, gates, ...headway },
    ...about,
  });
}

const isProven = (state: State, about: Partial<Settings> = {}) => {
  const decision = decide(state, settingsOf({ ...settings, ...about }), NOON);
  return decision.do === "stop" && decision.reason === "proven_complete";
};

describe("finished work ends without a claim", () => {
  const green = { [command]: "green" } as const;
  test.each<[string, State, Partial<Settings>, boolean]>([
    ["after three idle answers, where work turned a gate green", quiet(), {}, true],
    ["not before", quiet({ idle: 2 }), {}, false],
    ["after six, where the gates were green from the first", quiet({ idle: 6, gates: green }), {}, true],
    ["not before either", quiet({ idle: 5, gates: green }), {}, false],
    ["not without work in this run", quiet({ worked: false, idle: 9 }), {}, false],
    ["not where one of them was denied something", quiet({ idle: 5, quiet: 2 }), {}, false],
    ["after three since then", quiet({ idle: 5, quiet: 3 }), {}, true],
    ["not with a red gate", quiet({}, { gates: [gate(false)] }), {}, false],
    ["not where the gates ran no test", quiet({ idle: 9 }, { gates: [empty] }), {}, false],
    ["not sooner for a gate that turned and ran no test", quiet({ idle: 5 }, { gates: [empty, other] }), {}, false],
    ["after six, with another gate that is green", quiet({ idle: 6 }, { gates: [empty, other] }), {}, true],
    ["not without a gate", quiet({ idle: 9 }, { gates: [] }), { TEST_COMMAND: null }, false],
    ["not with gates that did not run", quiet({ idle: 9 }, { gates: [] }), {}, false],
    ["not with an open box", quiet({ idle: 9 }, { plan: open }), {}, false],
    [
      "not where the answer says that tests fail",
      quiet({}, { last: recordOf({ tests_status: "FAILING" }) }),
      {},
      false,
    ],
    ["not where the answer says BLOCKED", quiet({}, { last: recordOf({ status: "BLOCKED" }) }), {}, false],
    ["not after a failed call", quiet({}, { last: recordOf({}, { outcome: "failed" }) }), {}, false],
    [
      "not where the gates were green from the first and the answer asks something",
      quiet({ idle: 9, gates: green }, { last: recordOf({ asking_questions: true }) }),
      {},
      false,
    ],
    ["not if the user wants a claim", quiet(), { PROVEN_COMPLETE: false }, false],
    ["not under DONE_POLICY=signals", quiet(), { DONE_POLICY: "signals" }, false],
  ])("%s", (_name, state, about, expected) => expect(isProven(state, about)).toBe(expected));
});

test("gates are worth running from the third idle answer on", () => {
  const could = (headway: Partial<Headway>) => couldProve(quiet(headway), settingsOf(settings));
  expect([could({ idle: 1 }), could({ idle: 2 }), could({ idle: 2, worked: false })]).toEqual([false, true, false]);
});

describe("one claim is enough", () => {
  const claims = recordOf({ has_completion_signal: true, exit_signal: true, is_completion_indicator: true });
  const turned = { since_turn: 0, red_answers: 3 } as const;
  const claimed = (headway: Partial<Headway> = {}, about: Partial<State> = {}) =>
    quiet({ idle: 0, ...turned, ...headway }, { last: claims, ...about });
  const ends = (state: State, about: Partial<Settings> = {}) => {
    const decision = decide(state, settingsOf({ ...settings, ...about }), NOON);
    return decision.do === "stop" ? decision.reason : null;
  };

  test.each<[string, State, Partial<Settings>, string | null]>([
    ["where work has just turned a gate green", claimed(), {}, "project_complete"],
    ["also in the next answer", claimed({ since_turn: 1 }), {}, "project_complete"],
    ["not later", claimed({ since_turn: 2 }), {}, null],
    ["not where it was red only once", claimed({ red_answers: 1 }), {}, null],
    ["not where it was green from the first", claimed({ gates: { [command]: "green" } }), {}, null],
    ["not with an open box", claimed({}, { plan: open }), {}, null],
    ["not with a red gate", claimed({}, { gates: [gate(false)] }), {}, null],
    ["not where it turned green without a test", claimed({}, { gates: [empty, other] }), {}, null],
    ["not without a claim", claimed({}, { last: recordOf() }), {}, null],
    ["not where signals decide", claimed(), { DONE_POLICY: "signals", QUALITY_GATE_MODE: "block" }, null],
  ])("%s", (_, state, about, reason) => expect(ends(state, about)).toBe(reason as never));
});
