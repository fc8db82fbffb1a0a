import { expect, test } from "bun:test";
import type { ControlCommand } from "../../../src/core/control-command.ts";
import { untestedGates } from "../../../src/core/gates/gate-trust.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { controlReply } from "../../../src/view/live/control-reply.ts";
import { settingsOf, stateOf } from "../../core/given.ts";

const idle: Partial<State> = {};
const working: Partial<State> = {
  open: { number: 3, call: 1, started_at: "", resume: null, head: null, snapshot: null } as never,
};
const paused: Partial<State> = { paused: true };
const stopping: Partial<State> = { ...working, stop_requested: { how: "after_iteration", by: "user" } };
const ending: Partial<State> = { ...working, stop_requested: { how: "now", by: "user" } };
const bounded: Partial<State> = { settings: { ...settingsOf({ MAX_ITERATIONS: 5 }) }, more_iterations: 2 };

const swarmOf = (...workers: string[]): Partial<State> => ({
  started_by: "swarm",
  tasks_at_work: workers.map((worker) => ({ task: worker, text: worker, worker, branch: "", since: "" })),
});

const say: ControlCommand = { command: "say", text: "x" };
const stop: ControlCommand = { command: "stop", how: "after_iteration" };
const now: ControlCommand = { command: "stop", how: "now" };
const withdraw: ControlCommand = { command: "withdraw" };
const pause: ControlCommand = { command: "pause" };
const resume: ControlCommand = { command: "resume" };

const accept: ControlCommand = { command: "accept_gates" };
const weakened = { commands: ["t"], evidence: "words" as const, reasons: [], diff: "", iteration: 1 };

test.each<[string, ControlCommand, Partial<State>, string]>([
  ["accept", accept, working, "nothing: The gates did not get weaker: there is nothing to accept."],
  [
    "accept, weaker",
    accept,
    { ...working, gate_trust: { ...untestedGates(), weakened } },
    "send: Accepted: the gates are the measure as they were found.",
  ],
  ["say", say, working, "send: Said: it goes into the next prompt."],
  ["say, swarm", say, swarmOf("w2", "w1"), "send: Said: it goes into the next prompts of w1 and w2."],
  ["say, swarm of one", say, swarmOf("w1"), "send: Said: it goes into the next prompt of w1."],
  ["say, idle swarm", say, swarmOf(), "send: Said: it goes to the next worker that begins."],
  [
    "say, swarm that stops",
    say,
    { ...swarmOf("w1"), ...stopping },
    "send: Said: it goes into the next prompt, which is the next run's: this one stops.",
  ],
  ["say, paused", say, paused, "send: Said: it goes into the next prompt. The run is paused; go on with: ralph resume"],
  [
    "say, stopping",
    say,
    stopping,
    "send: Said: it goes into the next prompt, which is the next run's: this one stops.",
  ],
  ["stop", stop, working, "send: Stopping after iteration 3. Take it back with: ralph stop --withdraw"],
  ["stop, between iterations", stop, idle, "send: Stopping."],
  [
    "stop, twice",
    stop,
    stopping,
    "nothing: The run already stops after this iteration. At once with: ralph stop --now",
  ],
  ["stop, after now", stop, ending, "nothing: The run is already stopping."],
  ["stop now", now, stopping, "send: Stopping now."],
  ["stop now, twice", now, ending, "nothing: The run is already stopping."],
  ["withdraw", withdraw, stopping, "send: The stop is withdrawn: the run goes on."],
  ["withdraw, too late", withdraw, ending, "refuse: It is too late: the agent is being stopped."],
  ["withdraw, without a stop", withdraw, working, "nothing: No stop was asked for: the run goes on."],
  ["stop, of an import", stop, { started_by: "import" }, "refuse: An import takes no commands."],
  ["pause", pause, working, "send: Pausing after iteration 3: no further call is made. Go on with: ralph resume"],
  ["pause, between iterations", pause, idle, "send: Paused: no further call is made. Go on with: ralph resume"],
  ["pause, twice", pause, paused, "nothing: The run is already paused. Go on with: ralph resume"],
  ["resume", resume, paused, "send: Going on."],
  ["resume, without a pause", resume, working, "nothing: The run is not paused."],
  ["extend", { command: "extend", iterations: 1 }, bounded, "send: The run may make 1 more iteration: 8 in all."],
  [
    "extend, without a bound",
    { command: "extend", iterations: 1 },
    { settings: { ...settingsOf() } },
    "refuse: The run has no bound on iterations to raise.",
  ],
])("the reply to: %s", (_, command, about, expected) => {
  const words = controlReply(command, stateOf(about));
  expect(`${words.action}: ${words.text}`).toBe(expected);
});
