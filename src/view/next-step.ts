import { STOP_REASONS, type StopReason } from "../core/stop/stop-reasons.ts";
import { dayAndTime } from "./live/wait-line.ts";

/** The end of a run. */
export type RunEnd = {
  reason: StopReason;
  /** `cli`, `task`, `import` … */
  startedBy: string | null;
  /**
   * ISO time at which the provider's limit that ended the run resets; null without such a limit, or if the time is
   * unknown.
   */
  limitResetsAt: string | null;
};

/** The command that continues an unfinished run. */
export function continueCommand(startedBy: string | null): string {
  return startedBy === "import" ? "ralph import FILE" : workCommand(startedBy);
}

/** A task's text is its prompt, and it may have no prompt file. */
function workCommand(startedBy: string | null): string {
  return startedBy === "task" ? 'ralph "TEXT"' : "ralph run";
}

/**
 * The command to type after such an end: the step of the table, with the commands of this run.
 * @param now epoch ms
 */
export function nextStep(end: RunEnd, now: number): string {
  return STOP_REASONS[end.reason].next
    .replace("{work}", workCommand(end.startedBy))
    .replace("{again}", continueCommand(end.startedBy))
    .replace("{after_limit}", () => afterLimit(end, now));
}

function afterLimit({ startedBy, limitResetsAt }: RunEnd, now: number): string {
  const again = continueCommand(startedBy);
  if (limitResetsAt !== null && Date.parse(limitResetsAt) <= now) return `The limit is over. Go on with: ${again}`;
  const when = limitResetsAt === null ? "" : `It resets ${dayAndTime(limitResetsAt, now)}. `;
  // An import does not wait.
  return `${when}${startedBy === "import" ? `When it is over: ${again}` : `Wait it out with: ${again} --on-limit wait`}`;
}
