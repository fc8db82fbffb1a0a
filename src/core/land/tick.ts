/** Ticks the box of a landed task. */
import { parsePlan } from "../plan/fix-plan.ts";
import { withBoxTicked } from "../tasks/markdown-tasks.ts";
import { listedInPlan, taskGraph } from "../tasks/task-graph.ts";

export type LandTask = { id: string; text: string };

/**
 * The plan with the task's box ticked, all else byte for byte; null if no open box is that task's.
 * @param hash SHA-256 in hex
 */
export function withTicked(plan: string, { id, text }: LandTask, hash: (text: string) => string): string | null {
  const boxes = boxesOf(plan, hash);
  // A person may have moved it to another section since it was claimed.
  const named = boxes.filter((box) => box.id === id);
  const found = named.length > 0 ? named : boxes.filter((box) => box.words === text || box.text === text);
  const open = found.find(({ isDone }) => !isDone);
  return open === undefined ? null : withBoxTicked(plan, open.line);
}

function boxesOf(plan: string, hash: (text: string) => string) {
  const parsed = parsePlan(plan, []);
  const { tasks } = taskGraph(listedInPlan(parsed), hash);
  return parsed.boxes.map((box, at) => ({ ...box, words: tasks[at]?.text ?? box.text, id: tasks[at]?.id ?? "" }));
}
