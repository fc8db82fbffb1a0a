import { reasonText } from "../gates/weakened-text.ts";
import type { State } from "../journal/state.ts";

const MOST_REASONS = 5;

/**
 * Tells the agent that its checks got weaker since the start, after an answer for which they were judged; "" otherwise. It hears
 * this once: the next claim that rests on them ends the run for a person.
 */
export function weakenedGatesNote({ gates, gate_trust: { weakened } }: State): string {
  if (weakened === null || !gates.some((gate) => gate.weakened)) return "";
  const { commands, evidence, reasons, diff } = weakened;
  const named = reasons.slice(0, MOST_REASONS).map((reason) => `- ${reasonText(reason)}`);
  const more = reasons.length > MOST_REASONS ? [`- and ${reasons.length - MOST_REASONS} more`] : [];
  return [
    `${commands.map((command) => `\`${command}\``).join(", ")} is green now, but it checks less than when this work began${
      evidence === "frozen_gate_is_red" ? ": with the checks as they were then, it is red" : ""
    }.`,
    ...named,
    ...more,
    ...(diff === "" ? [] : [diff.replace(/^/gm, "    ")]),
    "Put these checks back as they were, and change the work until they pass. New checks may be added. If such a check is really wrong, do not change it: say why in your answer, and a person decides. The next claim of done on weaker checks stops the run.",
  ].join("\n");
}
