/** Ticks the box of a landed task. */
import { parsePlan } from "../plan/fix-plan.ts";
import { listedInPlan, taskGraph } from "../tasks/task-graph.ts";
import { parseBox } from "../text/markdown-blocks.ts";

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
  return open === undefined ? null : tickLine(plan, open.line);
}

function boxesOf(plan: string, hash: (text: string) => string) {
  const parsed = parsePlan(plan, []);
  const { tasks } = taskGraph(listedInPlan(parsed), hash);
  return parsed.boxes.map((box, at) => ({ ...box, words: tasks[at]?.text ?? box.text, id: tasks[at]?.id ?? "" }));
}

function tickLine(plan: string, line: number): string | null {
  const lines = plan.split(/(?<=\n)/);
  const old = lines[line - 1] ?? "";
  const [ending = ""] = /\r?\n?$/.exec(old) ?? [];
  const box = parseBox(old.slice(0, old.length - ending.length));
  if (box === null) return null;
  const ticked = `${box.before}x${box.after}${box.text}${ending}`;
  return lines.with(line - 1, ticked).join("");
}
