import { BOX, boxesOf, specOf } from "./boxes.ts";
import { matched } from "./match.ts";
import { distinct } from "./merge.ts";
import type { Task } from "./task.ts";

/** The open boxes of a plan that came from the document of these tasks, and that it names no more. */
export function leftBehind(plan: string, tasks: readonly Task[]): string[] {
  const lines = plan.split(/\r\n|\n|\r/);
  const boxes = boxesOf(plan, lines);
  const files = new Set(tasks.flatMap(({ details }) => specOf(details) ?? []));
  const known = new Set(matched(boxes, distinct(tasks)).values());
  return boxes
    .filter((box) => !box.done && !known.has(box) && box.spec !== null && files.has(box.spec))
    .map(({ line }) => BOX.exec(lines[line] ?? "")?.[4]?.trim() ?? "");
}
