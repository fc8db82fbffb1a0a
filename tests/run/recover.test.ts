import { expect, test } from "bun:test";
import type { EventBody } from "../../src/core/event.ts";
import { orphanOf, recoveryOf } from "../../src/run/recover.ts";
import { callEvents, fold, NOON, stateOf } from "../core/given.ts";

const process = { pid: 7, group: 7, start_time: "boot:1", marker: "m" };
const [begun, answered] = callEvents(1, 1) as [EventBody, EventBody];
const agent: EventBody = { type: "agent_started", call: 1, purpose: "main", argv: [], ...process };
const gate: EventBody = { type: "gate_started", command: "npm test", ...process };
const review: EventBody[] = [
  { type: "review_started", number: 1, call: 2 },
  { ...agent, call: 2, purpose: "review" },
];

test.each<[string, EventBody[], string[], boolean]>([
  ["an iteration before its agent", [begun], ["iteration_interrupted"], false],
  ["an agent", [begun, agent], ["agent_finished", "iteration_interrupted"], true],
  ["an iteration after its agent", [begun, agent, answered], ["iteration_interrupted"], false],
  ["a gate in an iteration", [begun, agent, answered, gate], ["gate_finished", "iteration_interrupted"], true],
  ["a gate before the first", [gate], ["gate_finished"], true],
  ["a review before its agent", review.slice(0, 1), ["review_finished"], false],
  ["a review", review, ["agent_finished", "review_finished"], true],
])(
  "a run that broke off in %s gets every missing end, and its process is known",
  (_name, bodies, closing, hasOrphan) => {
    const state = fold(stateOf(), bodies);
    const recovery = recoveryOf(state);
    expect(recovery?.closing.map(({ type }) => type)).toEqual(closing as EventBody["type"][]);
    expect(orphanOf(state)).toEqual(hasOrphan ? process : null);
    const closed = fold(state, recovery?.closing ?? [], NOON);
    expect([closed.open, closed.gate, closed.review.open, orphanOf(closed)]).toEqual([null, null, null, null]);
    expect(recoveryOf(closed)?.closing).toEqual([]);
  },
);
