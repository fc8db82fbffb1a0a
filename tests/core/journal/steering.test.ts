/** Commands of the user to a run: how they change the state and the decision. */
import { describe, expect, test } from "bun:test";
import { decide } from "../../../src/core/decide/decide.ts";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { carryOver } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { composeNotes } from "../../../src/core/prompt/prompt-notes.ts";
import { noHeadway } from "../../../src/core/stop/headway.ts";
import { analysisOf, callEvents, evidenceOf, fold, HOUR, MINUTE, NOON, settingsOf, stateOf } from "../given.ts";

const said = (text: string): EventBody => ({ type: "said", text });
const finished = (outcome: "answered" | "failed" = "answered"): EventBody => ({
  type: "iteration_finished",
  outcome,
  analysis: analysisOf(),
  evidence: evidenceOf(),
  verdict: { rule: "progress", sentence: "" },
  breaker: stateOf().breaker,
  usage: noUsage(),
  ms: 1,
});
const texts = (bodies: EventBody[]) => fold(stateOf(), bodies).said.map(({ text }) => text);

describe("a user message", () => {
  test.each<[string, EventBody[], string[]]>([
    ["is pending until a prompt", [said("a"), said("b")], ["a", "b"]],
    ["stays pending while its call may be repeated", [said("a"), ...callEvents(1, 1, { repeat: "limit" })], ["a"]],
    ["is dropped once its iteration was answered", [said("a"), ...callEvents(1, 1), finished()], []],
    [
      "stays pending if it came during the answered iteration",
      [said("a"), ...callEvents(1, 1), said("b"), finished()],
      ["b"],
    ],
    ["is sent again after a failed iteration", [said("a"), ...callEvents(1, 1), finished("failed")], ["a"]],
    [
      "is sent again after an interrupted iteration",
      [said("a"), ...callEvents(1, 1), { type: "iteration_interrupted", number: 1, why: "stopped" }],
      ["a"],
    ],
  ])("%s", (_, bodies, left) => expect(texts(bodies)).toEqual(left));

  test("carries over to the next run while it is pending", () => {
    expect(carryOver(fold(stateOf(), [said("a"), ...callEvents(1, 1)])).said).toMatchObject([
      { text: "a", used_in: null },
    ]);
  });

  test("begins the count of idle and blocked answers anew", () => {
    const before = stateOf({ blocked: 1, headway: { ...noHeadway(), idle: 2, quiet: 2, bare: 2, same: 1 } });
    const idle = { ...before, breaker: { ...before.breaker, no_progress: 2, same_error: 1 } };
    const { blocked, headway, breaker } = fold(idle, [said("a")]);
    expect({ blocked, headway, breaker }).toEqual({
      blocked: 0,
      headway: noHeadway(),
      breaker: { ...before.breaker, same_error: 1 },
    });
  });

  test("comes first among the prompt's notes", () => {
    const [note] = composeNotes(fold(stateOf(), [said("Use yargs"), said("Be brief")]), settingsOf(), null);
    expect(note).toBe("The user of ralph says:\nUse yargs\n\nBe brief");
  });
});

describe("a pause", () => {
  const paused = fold(stateOf(), [{ type: "paused" }]);

  test("takes precedence over every other wait", () => {
    const limited = { ...paused, limit: { until: NOON + HOUR, kind: "usage_limit", message: "" } } as typeof paused;
    expect(decide(limited, settingsOf(), NOON)).toMatchObject({ do: "wait", why: "paused" });
    expect(decide(paused, settingsOf(), NOON + 100 * HOUR)).toMatchObject({ do: "wait", why: "paused" });
  });

  test("ends when the user resumes the run", () => {
    expect(decide(fold(paused, [{ type: "resumed" }]), settingsOf(), NOON)).toMatchObject({ do: "run" });
  });

  test("ends at the run's deadline", () => {
    const settings = settingsOf({ MAX_TIME: 60 });
    expect(decide(paused, settings, NOON)).toMatchObject({ do: "wait", until: NOON + 60 * MINUTE });
    expect(decide(paused, settings, NOON + 60 * MINUTE)).toMatchObject({ do: "stop", reason: "max_time" });
  });

  test("does not delay a requested stop", () => {
    const stopping = fold(paused, [{ type: "stop_requested", how: "after_iteration", by: "user" }]);
    expect(decide(stopping, settingsOf(), NOON)).toMatchObject({ do: "stop", reason: "stopped_by_user" });
  });
});

test("a raised bound allows that many more iterations", () => {
  const settings = settingsOf({ MAX_ITERATIONS: 2 });
  const used = stateOf({ iterations: 2 });
  expect(decide(used, settings, NOON)).toMatchObject({ do: "stop", reason: "max_iterations" });
  const raised = fold(used, [{ type: "bound_raised", iterations: 1 }]);
  expect(decide(raised, settings, NOON)).toMatchObject({ do: "run" });
  expect(decide({ ...raised, iterations: 3 }, settings, NOON)).toMatchObject({
    sentence: "All 3 allowed iterations are used up.",
  });
});

describe("open tool calls", () => {
  const tool = (id: string, nested?: boolean): EventBody => ({
    type: "agent_tool_started",
    call: 1,
    tool_id: id,
    tool: "Glob",
    input: { pattern: "*", path: null },
    ...(nested === undefined ? {} : { nested }),
  });
  const start = callEvents(1, 1).slice(0, 1);
  const text = (nested: boolean): EventBody => ({ type: "agent_text", call: 1, text: "x", nested });
  const ids = (bodies: EventBody[]) => fold(stateOf(), [...start, ...bodies]).tools.map(({ tool_id }) => tool_id);

  test.each<[string, EventBody[], string[]]>([
    ["are listed in order", [tool("a"), tool("b")], ["a", "b"]],
    [
      "close with their result",
      [tool("a"), tool("b"), { type: "agent_tool_finished", call: 1, tool_use_id: "a", content: "", is_error: false }],
      ["b"],
    ],
    ["close when the agent writes text", [tool("a"), text(false)], []],
    ["stay open when a nested agent writes text", [tool("a"), text(true)], ["a"]],
    ["close when the call ends", [tool("a"), ...callEvents(1, 1).slice(1)], []],
    [
      "are never more than fifty",
      Array.from({ length: 60 }, (_, n) => tool(`${n}`)),
      Array.from({ length: 50 }, (_, n) => `${n + 10}`),
    ],
  ])("%s", (_, bodies, open) => expect(ids(bodies)).toEqual(open));
});

test("a withdrawn stop restores the last action to the open iteration", () => {
  const open = { number: 1, call: 1, started_at: "", usage: noUsage() };
  const state = fold(stateOf({ open, last_action: "executing" }), [
    { type: "stop_requested", how: "after_iteration", by: "user" },
    { type: "stop_withdrawn" },
  ]);
  expect(state).toMatchObject({ stop_requested: null, last_action: "executing" });
});
