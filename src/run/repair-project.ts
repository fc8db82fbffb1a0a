import { warning } from "../core/journal/warning.ts";
import type { Run } from "./run.ts";

/** Restores protected files that the last call changed, and names them in one note. */
export function repairProject({ guard, append }: Run): void {
  const repaired = guard.repair();
  if (repaired.length > 0) append(warning(`Protected files were changed: ${repaired.join("; ")}.`));
}
