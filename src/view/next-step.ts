import type { StopReason } from "../core/stop/stop-reasons.ts";
import { dayAndTime } from "./live/wait-line.ts";

/** How a run ended. */
export type RunEnd = {
  reason: StopReason;
  /** `cli`, `task`, `import` … */
  startedBy: string | null;
  /** ISO time at which the provider's limit that ended it is over; null where none did, or none is known. */
  limitResetsAt: string | null;
};

/** The command that goes on after a run that did not come to its end. */
export function continueCommand(startedBy: string | null): string {
  return startedBy === "import" ? "ralph import FILE" : workCommand(startedBy);
}

/** A task has its words for a prompt, and may have no file of one. */
function workCommand(startedBy: string | null): string {
  return startedBy === "task" ? 'ralph "TEXT"' : "ralph run";
}

/**
 * What a person types next after a run that ended this way.
 * @param now epoch ms
 */
export function nextStep({ reason, startedBy, limitResetsAt }: RunEnd, now: number): string {
  const again = continueCommand(startedBy);
  const work = workCommand(startedBy);
  switch (reason) {
    case "project_complete":
    case "plan_complete":
    case "completion_signals":
    case "test_saturation":
      return "See what was done with: ralph report";
    case "import_complete":
      return "Read .ralph/PROMPT.md and the plan, then: ralph run";
    case "stopped_by_user":
    case "interrupted":
    case "terminated":
    case "hung_up":
      return `Go on with: ${again}`;
    case "internal_error":
      return "See what happened: ralph logs -v";
    case "stagnation_detected":
    case "repeated_error":
    case "output_decline":
    case "permission_denials":
    case "read_only_timeouts":
      return `See why with: ralph logs. Then: ralph circuit reset, and ${work}`;
    case "max_iterations":
      return `Go on with: ${work} --max-iterations N`;
    case "max_cost":
      return `Go on with: ${work} --max-cost USD`;
    case "max_tokens":
      return `Go on with: ${work} --max-tokens N`;
    case "max_time":
    case "stop_at":
      return `Go on with: ${work}`;
    case "usage_limit":
      return afterLimit(startedBy, limitResetsAt, now);
    case "blocked":
    case "completion_disputed":
    case "safety_circuit_breaker":
      return `See what the agent says with: ralph logs. Then go on with: ${work}`;
    case "permission_denied":
      return `Allow what was denied (--allowed-tools, --permission-mode), then: ${work}`;
    case "authentication":
      return `Log in, then: ${again}`;
    case "files_deleted":
      return `Look at what is there with: git status. Then go on with: ${work}`;
    case "disk_full":
      return `Free some space, then go on with: ${again}`;
    case "infrastructure_failures":
      return `See the errors with: ralph logs. Then go on with: ${again}`;
    case "agent_unusable":
      return "Look at the agent with: ralph drivers";
  }
}

function afterLimit(startedBy: string | null, resetsAt: string | null, now: number): string {
  const again = continueCommand(startedBy);
  if (resetsAt !== null && Date.parse(resetsAt) <= now) return `The limit is over. Go on with: ${again}`;
  const when = resetsAt === null ? "" : `It resets ${dayAndTime(resetsAt, now)}. `;
  // An import does not wait.
  return `${when}${startedBy === "import" ? `When it is over: ${again}` : `Wait it out with: ${again} --on-limit wait`}`;
}
