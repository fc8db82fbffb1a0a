import type { Run } from "./run.ts";

/** Restores files that only ralph and its user may change and the last call changed; one note says which. */
export function repairProject({ guard, append }: Run): void {
  const repaired = guard.repair();
  if (repaired.length === 0) return;
  append({
    type: "note",
    level: "warn",
    text: `Files that are not the agent's to change were changed while it ran: ${repaired.join("; ")}.`,
  });
}
