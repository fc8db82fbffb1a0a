/** Takes the changes of some iterations back out of the files as they are now. */
import { type FileState, isSame, takeBack } from "../../core/checkpoints/take-back.ts";
import type { TreeFile } from "../git/trees.ts";
import { leftRepositories } from "./left-out.ts";
import type { CheckpointReader } from "./read-checkpoints.ts";
import { type FileChange, fileOf, isSubmodule } from "./restore.ts";

/** Two commits: the files before and after. */
export type Step = { before: string; after: string };

/**
 * @param now the commit of the files as they are
 * @param steps the last first
 * @param skips a path that is left out: the plan, whose ticks are no text to merge
 * @returns what has to be changed, or what stands in the way, by path; and what is left as it is, in words
 * @throws Error if a checkpoint cannot be read
 */
export async function changesWithout(
  reader: CheckpointReader,
  now: string,
  steps: readonly Step[],
  skips: string | null,
): Promise<{ changes: FileChange[]; conflicts: string[]; repositories: string[] }> {
  const present = await reader.differences(null, now, "");
  const read = async (file: TreeFile | null | undefined): Promise<FileState> =>
    file == null ? null : await fileOf(reader, file);
  const files = new Map<string, { old: FileState; now: FileState }>();
  const conflicts: string[] = [];
  const repositories: string[] = [];
  for (const { before, after } of steps) {
    const lacks = await reader.leftOut(before);
    const wasIgnored = await reader.ignored(before);
    const differing = await reader.differences(before, after, "");
    const isNew = ([path, { old }]: [string, { old: TreeFile | null }]) => (old === null ? [path] : []);
    repositories.push(...leftRepositories(lacks, [...differing].flatMap(isNew)));
    for (const [path, change] of differing) {
      // One that the checkpoint before lacks was not new, or may not have been.
      if (path === skips || (change.old === null && (lacks.has(path) || (await wasIgnored(path))))) continue;
      if (isSubmodule(change.old) || isSubmodule(change.now)) {
        conflicts.push(`${path.toWellFormed()}: it is a submodule`);
        continue;
      }
      const old = files.get(path)?.old ?? (await read(present.get(path)?.now));
      const current = files.has(path) ? (files.get(path)?.now ?? null) : old;
      const taken = takeBack(current, { before: await read(change.old), after: await read(change.now) });
      if ("conflict" in taken) conflicts.push(`${path.toWellFormed()}: ${taken.conflict}`);
      else files.set(path, { old, now: taken.file });
    }
  }
  const changes = [...files]
    .filter(([, file]) => !isSame(file.old, file.now))
    .map(([path, file]) => ({ path, kept: present.get(path)?.now?.oid ?? null, file: file.now }));
  return { changes, conflicts, repositories: [...new Set(repositories)] };
}
