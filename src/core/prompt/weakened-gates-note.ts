import { reasonText } from "../gates/weakened-text.ts";
import type { State } from "../journal/state.ts";
import { bullets } from "./bullets.ts";

const MOST_REASONS = 5;

/**
 * Tells the agent that its gates got weaker since the start, after an answer for which they were judged; "" otherwise. It hears
 * this once: the next claim that rests on them ends the run for a person.
 */
export function weakenedGatesNote({ gates, gate_trust: { weakened } }: State): string {
  if (weakened === null || !gates.some((gate) => gate.weakened)) return "";
  const { commands, evidence, reasons, diff } = weakened;
  return [
    `${commands.map((command) => `\`${command}\``).join(", ")} is green now, but this gate (a command that must pass) demands less than when this work began${
      evidence === "frozen_gate_is_red" ? ": with its files as they were then, it is red" : ""
    }.`,
    ...bullets(reasons.map(reasonText), MOST_REASONS),
    ...(diff === "" ? [] : [diff.replace(/^/gm, "    ")]),
    "Put its files back as they were, and change the work until it passes. Tests may be added. If the gate is really wrong, do not change it: say why in your answer, and a person decides. The next claim of done on a weaker gate stops the run.",
  ].join("\n");
}
