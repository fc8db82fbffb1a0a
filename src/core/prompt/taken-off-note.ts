import type { State } from "../journal/state.ts";
import { isParked } from "../needs/questions.ts";
import { stillTakenOff } from "../plan/box-changes.ts";
import type { ParsedPlan } from "../plan/fix-plan.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";
import { bullets } from "./bullets.ts";

const MOST_TASKS = 5;
const TASK_CHARS = 90;

/**
 * Asks the agent about tasks that left the plan without a tick, once nothing else is open in it; "" for none.
 * @param plan in its current state
 */
export function takenOffNote({ taken_off, inbox, settings }: State, plan: ParsedPlan | null): string {
  if (plan === null || plan.counts.blocking_unchecked > 0) return "";
  const aside = new Set(inbox.open.filter((question) => isParked(question, settings)).map(({ task }) => task));
  const tasks = stillTakenOff(taken_off, plan).filter((task) => !aside.has(task));
  if (tasks.length === 0) return "";
  const named = tasks.map((task) => truncate(singleLine(task), TASK_CHARS));
  return `Every required box of the plan is ticked, but these tasks left it without a tick:\n${bullets(named, MOST_TASKS).join("\n")}\nWhat is done, put back with a tick. What is not, put back as an open box \`- [ ]\`, and do it now; other marks in a box count for nothing. If none of it is to be done, say why, and that all is done: end the answer with a status block that has STATUS: COMPLETE and EXIT_SIGNAL: true.`;
}
