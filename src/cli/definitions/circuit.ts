import { defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";

export const CIRCUIT_STATUS = defineCommand({
  meta: { name: "circuit status", description: "the state of the circuit breaker" },
  args: JSON_ARGS,
  examples: [["ralph circuit status", "its state, its counters, and why it opened"]],
  load: () => import("../commands/circuit-status.ts"),
});

export const CIRCUIT_RESET = defineCommand({
  meta: { name: "circuit reset", description: "close the circuit breaker and forget the session" },
  args: {},
  examples: [["ralph circuit reset", "start afresh after a look at what was wrong"]],
  load: () => import("../commands/circuit-reset.ts"),
});

export const CIRCUIT = defineGroup({
  meta: { name: "circuit", description: "look at the circuit breaker, or reset it" },
  subCommands: { status: CIRCUIT_STATUS, reset: CIRCUIT_RESET },
  default: "status",
});
