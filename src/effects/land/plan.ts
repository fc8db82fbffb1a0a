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
 * Gives a list that has got nothing but ticks since it was committed what lands of it, and leaves it these ticks.
 * @param committed as it was, and as it lands: a kill may have come between this and the landing
 * @returns what takes that back; null where anything else was changed, and it stays as it is
 */
export function layUnderTicks(path: string, list: Reads, { from, to }: { from: string; to: string }) {
  const now = decodeExactly(readRegular(path));
  const done = list.read(now).graph.tasks.filter((task) => task.done);
  for (const committed of [from, to]) {
    const open = new Set(list.read(committed).graph.tasks.flatMap((task) => (task.done ? [] : task.id)));
    const ticked = done.filter(({ id }) => open.has(id));
    if (withTicks(committed, list, ticked) !== now) continue;
    write(path, withTicks(to, list, ticked));
    return () => write(path, now);
  }
  return null;
}

function withTicks(plan: string, { read }: Reads, tasks: readonly LandTask[]): string {
  return tasks.reduce((text, task) => read(text).withDone(task) ?? text, plan);
}

function write(path: string, plan: string): void {
  const file = realpathSync(path);
  writeFileAtomic(file, encodePath(plan), statSync(file).mode & 0o777);
}
