import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { gatesProve } from "./gate-rules.ts";
import { climbsLadder } from "./idle-ladder.ts";

/**
 * Idle answers in a row that prove finished work, where work turned a gate green that had been red from the first, and where all
 * were green from the first: those say little, so only the end of the ladder counts. Simulated with tests that miss what nobody
 * began, two each made 64 of 300 ends of an often idle agent false, these 2.
 */
const IDLE_AFTER_TURN = 3;
const IDLE = 6;

/** A gate that was red only once may have found a fault of the first answer, and miss what nobody began. */
const RED_ANSWERS = 2;

type ProofSettings = Pick<Settings, "DONE_POLICY" | "PROVEN_COMPLETE">;

/**
 * Whether everything but a claim says that the work is done: the run changed something, then the agent was asked for what is
 * left, or to say that nothing is, and had nothing to do, and at least one gate is green on the present tree (product.md "Done").
 * The caller makes sure that nothing else stands against "done".
 */
export function isProven(
  { headway, gates, last }: Pick<State, "headway" | "gates" | "last">,
  settings: ProofSettings,
): boolean {
  if (last === null || last.outcome === "failed" || last.analysis.status === "BLOCKED") return false;
  if (!gatesProve(gates)) return false;
  if (!isQuiet(headway, settings)) return false;
  if (hasTurned(gates, headway)) return headway.quiet >= IDLE_AFTER_TURN;
  // Who asks has something open.
  return headway.quiet >= IDLE && !last.analysis.asking_questions;
}

/**
 * Whether one claim is enough, because a gate that was red from its first run has just turned green by work: such a gate says what
 * was asked for. One that was green all along, or turned long before, says little, and the agent is asked again. Simulated with tests
 * that miss what nobody began, false ends of a weak agent without a plan are 7 of 300 with a gate that turned at any time, 3 with this
 * rule, and 2 where each claim has to be repeated.
 */
export function isConfirmed(
  { headway, gates }: Pick<State, "headway" | "gates">,
  { DONE_POLICY }: Pick<Settings, "DONE_POLICY">,
): boolean {
  if (DONE_POLICY !== "evidence" || !gatesProve(gates)) return false;
  const { since_turn, red_answers } = headway;
  const hasJustTurned = since_turn !== null && since_turn <= 1 && red_answers >= RED_ANSWERS;
  return hasJustTurned && hasTurned(gates, headway);
}

/** Whether work turned a gate green; one that only runs no test any more says nothing. */
function hasTurned(gates: State["gates"], headway: State["headway"]): boolean {
  return gates.some(({ command, no_tests }) => no_tests !== true && headway.gates[command] === "turned");
}

/** Whether an answer that changes nothing could prove it, so that its gates are worth running. */
export function couldProve({ headway }: Pick<State, "headway">, settings: ProofSettings): boolean {
  return isQuiet(headway, settings) && headway.quiet + 1 >= IDLE_AFTER_TURN;
}

function isQuiet({ worked }: State["headway"], settings: ProofSettings): boolean {
  return climbsLadder(settings) && settings.PROVEN_COMPLETE && worked;
}
