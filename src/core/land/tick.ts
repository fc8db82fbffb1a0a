/** Ticks the box of a landed task. */
import { parsePlan } from "../plan/fix-plan.ts";
import { taskKey } from "../tasks/task-graph.ts";
import { parseBox } from "../text/markdown-blocks.ts";

export type LandTask = { id: string; text: string };

/** What a box says of the tasks that it waits for is none of its words. */
const AFTER = /\s*(?:\(\s*after:[^)]*\)|\bafter:\s*\S.*)\s*$/i;

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

/** The ids of a plan's tasks in their order. @param hash SHA-256 in hex */
export function taskOrder(plan: string, hash: (text: string) => string): string[] {
  return boxesOf(plan, hash).map(({ id }) => id);
}

function boxesOf(plan: string, hash: (text: string) => string) {
  const seen = new Map<string, number>();
  return parsePlan(plan, []).boxes.map((box) => {
    const words = box.text.replace(AFTER, "");
    const key = taskKey(box.section, words, 1);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return { ...box, words, id: hash(taskKey(box.section, words, nth)).slice(0, 12) };
  });
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
