/** The plan on disk, where no commit has it. */
import { realpathSync, statSync } from "node:fs";
import type { LandTask } from "../../core/land/tick.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { readRegular } from "../files/regular-file.ts";
import type { TaskFile } from "../fleet/task-file.ts";
import { decodeExactly, encodePath } from "../git/names.ts";

type Reads = Pick<TaskFile, "read">;

/** Marks tasks as done in the list, whose permissions stay, as does a link to it; without a change nothing is written. @throws the file system's error */
export function tickOnDisk(path: string, list: Reads, tasks: readonly LandTask[]): void {
  const before = decodeExactly(readRegular(path));
  const plan = withTicks(before, list, tasks);
  if (plan !== before) write(path, plan);
}

/**
 * Makes the list what it was when it was committed, if it has got nothing but ticks since: git would not merge over them.
 * @returns the tasks that were ticked; none where it stays as it is
 */
export function setTicksAside(path: string, list: Reads, committed: string): LandTask[] {
  const now = decodeExactly(readRegular(path));
  const open = new Set(list.read(committed).graph.tasks.flatMap(({ id, done }) => (done ? [] : id)));
  const ticked = list.read(now).graph.tasks.filter(({ id, done }) => done && open.has(id));
  if (ticked.length === 0 || withTicks(committed, list, ticked) !== now) return [];
  write(path, committed);
  return ticked;
}

function withTicks(plan: string, { read }: Reads, tasks: readonly LandTask[]): string {
  return tasks.reduce((text, task) => read(text).withDone(task) ?? text, plan);
}

function write(path: string, plan: string): void {
  const file = realpathSync(path);
  writeFileAtomic(file, encodePath(plan), statSync(file).mode & 0o777);
}
