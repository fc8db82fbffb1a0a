/** The plan on disk, where no commit has it. */
import { createHash } from "node:crypto";
import { type LandTask, withTicked } from "../../core/land/tick.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { readRegularText } from "../files/regular-file.ts";

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Ticks boxes of the plan; without a change nothing is written. @throws the file system's error */
export function tickOnDisk(path: string, tasks: readonly LandTask[]): void {
  const before = readRegularText(path);
  let plan = before;
  for (const task of tasks) plan = withTicked(plan, task, sha256Hex) ?? plan;
  if (plan !== before) writeFileAtomic(path, plan);
}
