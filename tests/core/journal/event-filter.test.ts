import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { type EventFilter, eventLevel, matchesFilter } from "../../../src/core/journal/event-filter.ts";
import {
  agentFinished,
  iterationFinished,
  iterationStarted,
  play,
  runFinished,
  runStarted,
} from "../state-files/script.ts";

const result = (is_error: boolean): EventBody => ({
  type: "agent_tool_finished",
  call: 1,
  tool_use_id: "t",
  content: "",
  is_error,
});
const gate = (exit_code: number): EventBody => ({
  type: "gate_finished",
  command: "x",
  exit_code,
  ms: 1,
  timed_out: false,
  output: "",
});

test.each<[string, EventBody, string]>([
  ["a successful tool is info", result(false), "info"],
  ["a failed tool is a warning", result(true), "warn"],
  ["a green gate is info", gate(0), "info"],
  ["a red gate is a warning", gate(1), "warn"],
  ["a failed call is an error", agentFinished({ ok: false, exit_code: 1 }), "error"],
  ["an answered iteration is info", iterationFinished(), "info"],
  ["a failed iteration is a warning", iterationFinished({ outcome: "failed" }), "warn"],
  ["a note of an error is an error", { type: "note", level: "error", text: "x" }, "error"],
])("%s", (_, body, level) => {
  const event = play(runStarted(), body).at(-1)?.event;
  expect(event && eventLevel(event)).toBe(level as "info");
});

describe("an event filter", () => {
  const events = play(
    runStarted(),
    iterationStarted(1),
    result(true),
    iterationFinished(),
    iterationStarted(2),
    iterationFinished({ outcome: "failed" }),
    agentFinished({ ok: false }),
    runFinished("plan_complete"),
  ).map(({ event }) => event);
  test.each<[EventFilter, number]>([
    [{ iteration: null, level: "info" }, 8],
    [{ iteration: 1, level: "info" }, 3],
    [{ iteration: null, level: "warn" }, 3],
    [{ iteration: 1, level: "warn" }, 1],
    [{ iteration: null, level: "error" }, 1],
    [{ iteration: 9, level: "info" }, 0],
  ])("%j lets %i events through", (filter, count) => {
    expect(events.filter((event) => matchesFilter(event, filter))).toHaveLength(count);
  });
});
