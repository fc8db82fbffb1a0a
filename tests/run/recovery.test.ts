import { expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import { runMarker } from "../../src/core/journal/process-identity.ts";
import type { State } from "../../src/core/journal/state.ts";
import { orphanIdentity, planRecovery } from "../../src/run/recovery.ts";
import { callEvents, fold, NOON, stateOf } from "../core/given.ts";

const process = { pid: 7, group: 7, start_time: "boot:1", marker: "m" };
const [begun, answered] = callEvents(1, 1) as [EventBody, EventBody];
const agent: EventBody = { type: "agent_started", call: 1, purpose: "main", argv: [], ...process };
const gate: EventBody = { type: "gate_started", command: "npm test", ...process };
const review: EventBody[] = [
  { type: "review_started", number: 1, call: 2 },
  { ...agent, call: 2, purpose: "review" },
];

/** Only the run's marker is known. */
const marked = (state: State) => ({ pid: 0, group: 0, start_time: null, marker: runMarker(state) });

test.each<[string, EventBody[], string[], "by its pid" | "by its marker"]>([
  ["a gate before its event", [], [], "by its marker"],
  ["an iteration before its agent", [begun], ["iteration_interrupted"], "by its marker"],
  ["an agent", [begun, agent], ["agent_finished", "iteration_interrupted"], "by its pid"],
  ["an iteration after its agent", [begun, agent, answered], ["iteration_interrupted"], "by its marker"],
  ["a gate in an iteration", [begun, agent, answered, gate], ["gate_finished", "iteration_interrupted"], "by its pid"],
  ["a gate before the first iteration", [gate], ["gate_finished"], "by its pid"],
  ["a review before its agent", review.slice(0, 1), ["review_finished"], "by its marker"],
  ["a review", review, ["agent_finished", "review_finished"], "by its pid"],
])(
  "a run that was interrupted in %s gets every missing end, and its process is identified",
  (_name, bodies, closing, known) => {
    const state = fold(stateOf(), bodies);
    const recovery = planRecovery(state);
    expect(recovery?.closing.map(({ type }) => type)).toEqual(closing as EventBody["type"][]);
    expect(orphanIdentity(state)).toEqual(known === "by its pid" ? process : marked(state));
    const closed = fold(state, recovery?.closing ?? [], NOON);
    expect([closed.open, closed.gate, closed.call]).toEqual([null, null, null]);
    expect(planRecovery(closed)?.closing).toEqual([]);
  },
);
