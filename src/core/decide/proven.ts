import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { climbsLadder } from "./idle-ladder.ts";

/**
 * Idle answers in a row that prove finished work, where work turned a gate green that had been red from the first, and where all
 * were green from the first: those say little, so only the end of the ladder counts. Simulated with tests that miss what nobody
 * began, two each made 64 of 300 ends of an often idle agent false, these 2.
 */
const IDLE_AFTER_TURN = 3;
const IDLE = 6;

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
  if (gates.length === 0 || !gates.every(({ ok }) => ok)) return false;
  if (!isQuiet(headway, settings)) return false;
  if (gates.some(({ command }) => headway.gates[command] === "turned")) return headway.idle >= IDLE_AFTER_TURN;
  // Who asks has something open.
  return headway.idle >= IDLE && !last.analysis.asking_questions;
}

/** Whether an answer that changes nothing could prove it, so that its gates are worth running. */
export function couldProve({ headway }: Pick<State, "headway">, settings: ProofSettings): boolean {
  return isQuiet(headway, settings) && headway.idle + 1 >= IDLE_AFTER_TURN;
}

function isQuiet({ worked }: State["headway"], settings: ProofSettings): boolean {
  return climbsLadder(settings) && settings.PROVEN_COMPLETE && worked;
}
