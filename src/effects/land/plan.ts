/** The plan on disk, where no commit has it. */
import { realpathSync, statSync } from "node:fs";
import type { LandTask } from "../../core/land/tick.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { readRegular } from "../files/regular-file.ts";
import type { TaskFile } from "../fleet/task-file.ts";
import { decodeExactly, encodePath } from "../git/names.ts";

/** Marks tasks as done in the list, whose permissions stay, as does a link to it; without a change nothing is written. @throws the file system's error */
export function tickOnDisk(path: string, { read }: Pick<TaskFile, "read">, tasks: readonly LandTask[]): void {
  const before = decodeExactly(readRegular(path));
  let plan = before;
  for (const task of tasks) plan = read(plan).withDone(task) ?? plan;
  if (plan === before) return;
  const file = realpathSync(path);
  writeFileAtomic(file, encodePath(plan), statSync(file).mode & 0o777);
}
