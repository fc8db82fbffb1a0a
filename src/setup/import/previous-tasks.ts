import { matchTasks, toIdentity } from "../plan/match.ts";
import { isOfTracker, type Task } from "../plan/task.ts";
import type { ExistingFiles } from "../scaffold.ts";
import { type ConvertedDocument, convertDocument, type SourceDocument } from "./formats/convert-document.ts";
import { originLine } from "./spec-base.ts";

/**
 * Adds to each task its version of the previous import, which the specs still hold. A plan can then distinguish a
 * user's edits from the document's text.
 * @param base as for `convertDocument`
 */
export function withPreviousTasks(
  { tasks, specs }: ConvertedDocument,
  files: Pick<ExistingFiles, "read">,
  document: SourceDocument,
  base: string,
): ConvertedDocument["tasks"] {
  const before = specs.flatMap(({ path }) => {
    const [origin, ...lines] = (files.read(path) ?? "").split(/\r?\n/);
    return origin === originLine(document.name) ? lines.join("\n") : [];
  });
  const earlier = before.length === 0 ? [] : convertDocument({ ...document, text: before.join("\n\n") }, base).tasks;
  const found = matchTasks(earlier.map(toIdentity), tasks);
  // A tracker's number identifies a task even if its title changed.
  const isSure = ({ id }: Task) => id !== null && isOfTracker(id);
  return tasks.map((task) => (isSure(task) ? task : { ...task, was: found.get(task)?.task ?? null }));
}
