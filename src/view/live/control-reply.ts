import type { ControlCommand } from "../../core/control-command.ts";
import type { State } from "../../core/journal/state.ts";
import { limitOf } from "../../core/stop/stop-rule.ts";
import { count } from "../../core/text/count.ts";

/** The effect of a command on a run in its present state: whether to send it, and the line for its user. */
export type ControlReply = { action: "send" | "nothing" | "refuse"; text: string; hint?: string };

/** Decides what a command to a run does. */
export function controlReply(command: ControlCommand, state: State): ControlReply {
  if (state.started_by === "import")
    return { action: "refuse", text: "An import takes no commands.", hint: "End it with Ctrl+C in its own terminal." };
  switch (command.command) {
    case "say":
      return { action: "send", text: `Said: ${whereSaid(state)}${whenDelivered(state)}` };
    case "answer":
      return state.inbox.open.some(({ number }) => number === command.number)
        ? { action: "send", text: `Answered: it goes into the next prompt${whenDelivered(state)}` }
        : { action: "refuse", text: noQuestionText(command.number), hint: "See what is open with: ralph inbox" };
    case "stop":
      return stop(command.how, state);
    case "withdraw":
      if (state.stop_requested === null) return { action: "nothing", text: "No stop was asked for: the run goes on." };
      if (state.stop_requested.how === "now")
        return { action: "refuse", text: "It is too late: the agent is being stopped." };
      return { action: "send", text: "The stop is withdrawn: the run goes on." };
    case "pause":
      if (state.paused) return { action: "nothing", text: "The run is already paused. Go on with: ralph resume" };
      return {
        action: "send",
        text: `${state.open === null || state.wait !== null ? "Paused" : `Pausing after iteration ${state.open.number}`}: no further call is made. Go on with: ralph resume`,
      };
    case "resume":
      return state.paused
        ? { action: "send", text: "Going on." }
        : { action: "nothing", text: "The run is not paused." };
    case "accept_gates":
      return state.gate_trust.weakened === null
        ? { action: "nothing", text: "The gates did not get weaker: there is nothing to accept." }
        : { action: "send", text: "Accepted: the gates are the measure as they were found." };
    case "extend":
      return extend(command.iterations, state);
  }
}

/** A question that is not open: answered, overtaken, or never asked. */
export function noQuestionText(number: number): string {
  return `No question ${number} is open: it was answered or overtaken, or never asked.`;
}

/** A swarm has no prompts of its own: its workers hear it. */
function whereSaid({ started_by, tasks_at_work, stop_requested }: State): string {
  if (started_by !== "swarm" || stop_requested !== null) return "it goes into the next prompt";
  const names = [...new Set(tasks_at_work.map(({ worker }) => worker))].sort();
  if (names.length === 0) return "it goes to the next worker that begins";
  return names.length === 1
    ? `it goes into the next prompt of ${names[0]}`
    : `it goes into the next prompts of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function whenDelivered({ stop_requested, paused }: State): string {
  if (stop_requested !== null) return ", which is the next run's: this one stops.";
  return paused ? ". The run is paused; go on with: ralph resume" : ".";
}

function stop(how: "now" | "after_iteration", { stop_requested, open, wait }: State): ControlReply {
  if (stop_requested?.how === "now") return { action: "nothing", text: "The run is already stopping." };
  if (how === "now") return { action: "send", text: "Stopping now." };
  if (stop_requested !== null)
    return { action: "nothing", text: "The run already stops after this iteration. At once with: ralph stop --now" };
  if (open === null || wait !== null) return { action: "send", text: "Stopping." };
  return {
    action: "send",
    text: `Stopping after iteration ${open.number}. Take it back with: ralph stop --withdraw`,
  };
}

function extend(iterations: number, state: State): ControlReply {
  const limit = limitOf("max_iterations", state.settings, state);
  if (limit === 0)
    return {
      action: "refuse",
      text: "The run has no bound on iterations to raise.",
      hint: "Set one with: ralph run --max-iterations 50",
    };
  const more = count(iterations, "more iteration", "more iterations");
  return { action: "send", text: `The run may make ${more}: ${limit + iterations} in all.` };
}
