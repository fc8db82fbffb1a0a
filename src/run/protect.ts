import type { LoopDeps } from "./deps.ts";

/** Puts back what somebody else than ralph changed of its files since the last call began, and says so in one note. */
export function mendProject({ project, recorder }: LoopDeps): void {
  const mended = project.mend();
  if (mended.length === 0) return;
  recorder.append({
    type: "note",
    level: "warn",
    text: `Files that are not the agent's to change were changed while it ran: ${mended.join("; ")}.`,
  });
}
