import { matchTasks, toIdentity } from "../plan/match.ts";
import { isOfTracker, type Task } from "../plan/task.ts";
import { type ConvertedDocument, convertDocument, type SourceDocument } from "./formats/convert-document.ts";
import { originLine } from "./spec-base.ts";

type Files = { read(path: string): string | null };

/**
 * A converted document's tasks with what it said of them when it was imported before, as the specs still hold it: so that a
 * plan can tell what a person wrote from what a document said.
 * @param base as for `convertDocument`
 */
export function withPreviousTasks(
  { tasks, specs }: ConvertedDocument,
  files: Files,
  document: SourceDocument,
  base: string,
): ConvertedDocument["tasks"] {
  const before = specs.flatMap(({ path }) => {
    const [origin, ...lines] = (files.read(path) ?? "").split(/\r?\n/);
    return origin === originLine(document.name) ? lines.join("\n") : [];
  });
  const earlier = before.length === 0 ? [] : convertDocument({ ...document, text: before.join("\n\n") }, base).tasks;
  const found = matchTasks(earlier.map(toIdentity), tasks);
  // A tracker's task is known by its number alone, so that its words can follow.
  const isSure = ({ id }: Task) => id !== null && isOfTracker(id);
  return tasks.map((task) => (isSure(task) ? task : { ...task, was: found.get(task)?.task ?? null }));
}
