import { isTakeable, type TaskClaim } from "../fleet/claim.ts";
import type { WorkTask } from "../tasks/task-graph.ts";
import { singleLine } from "../text/plain-text.ts";

/** What workers of others have, in words: they hand it in, or are dead, and then their lease ends and it comes free. @param now epoch ms */
export function workElsewhere(tasks: readonly WorkTask[], claims: ReadonlyMap<string, TaskClaim>, now: number): string {
  const held = tasks.flatMap(({ id, text, done }) => {
    const claim = claims.get(id);
    if (done || claim?.state !== "claimed" || isTakeable(claim, now)) return [];
    return [`${claim.worker.name} works on "${singleLine(text)}"`];
  });
  return held.join("; ");
}
