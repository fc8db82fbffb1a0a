import { shownDenials } from "../answer/denial.ts";
import { climbsLadder } from "../decide/idle-ladder.ts";
import type { State } from "../journal/state.ts";
import type { ParsedPlan } from "../plan/fix-plan.ts";
import type { Settings } from "../settings/settings.ts";
import { describeSpinning } from "../stop/headway.ts";
import { headroomOf } from "../stop/stop-rule.ts";
import { count } from "../text/count.ts";
import { firstNames } from "../text/first-names.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const MOST_BOXES = 3;
const BOX_CHARS = 90;
const COMMAND_CHARS = 120;

/**
 * What the agent should know of a standstill: after an idle answer the evidence in words, after half the way to a stop for
 * spinning what goes on. Empty while the work moves.
 * @param plan in its current state
 */
export function standstillNote(state: State, settings: Settings, plan: ParsedPlan | null): string {
  return denialNote(state, settings) || idleNote(state, settings, plan) || spinningNote(state, settings);
}

function denialNote(state: State, settings: Settings): string {
  const { used, limit } = headroomOf("denied_repeatedly", state, settings, 0);
  if (limit === 0 || used < 2 || used * 2 < limit) return "";
  const denied = truncate(
    singleLine(shownDenials(state.last?.analysis.denied_commands ?? []).join(", ")),
    COMMAND_CHARS,
  );
  return `You were denied ${denied || "a tool"} in each of the last ${used} answers. It will be denied again: do not try it once more. Do what can be done without it; if nothing can, say STATUS: BLOCKED and in RECOMMENDATION what you need.`;
}

/** The state of the evidence, and what to say when all is done. */
function idleNote({ headway, gates, plan: counts }: State, settings: Settings, plan: ParsedPlan | null): string {
  if (!climbsLadder(settings) || headway.idle === 0) return "";
  const open = (plan?.tasks ?? []).filter((task) => !task.optional);
  const boxes = open.map((task) => `"${truncate(singleLine(task.text), BOX_CHARS)}"`);
  const green = gates
    .filter(({ ok }) => ok)
    .map(({ command }) => `\`${truncate(singleLine(command), COMMAND_CHARS)}\``);
  const red = gates.some(({ ok }) => !ok);
  const facts = [
    ...(open.length > 0 ? [`Open in the plan: ${firstNames(boxes, MOST_BOXES)}.`] : []),
    ...(open.length === 0 && (counts?.total ?? 0) > 0 ? ["Every required box of the plan is ticked."] : []),
    ...(green.length > 0 ? [`Green: ${green.join(", ")}.`] : []),
  ];
  const isOpen = open.length > 0 || red;
  const done = isOpen
    ? ""
    : " If nothing is left to do, say so: end the answer with a status block that has STATUS: COMPLETE and EXIT_SIGNAL: true.";
  return [
    `Nothing changed in your last ${headway.idle === 1 ? "answer" : count(headway.idle, "answer")}.`,
    ...facts,
    `Look at the files themselves, and do the next part of the work now.${done} If you cannot go on, say STATUS: BLOCKED and in RECOMMENDATION what you need.`,
  ].join(" ");
}

function spinningNote(state: State, settings: Settings): string {
  const { used, limit } = headroomOf("no_headway", state, settings, 0);
  if (limit === 0 || used < 2 || used * 2 < limit) return "";
  const { iterations, what } = describeSpinning(state.headway, used);
  return `Your last ${count(iterations, "answer")} ${what}. Finish a part of the work: tick what is done, commit it where the project is under git, and go on to what is still open. If you go in circles, take another way; if you cannot go on, say STATUS: BLOCKED and why.`;
}
