import {
  type Begin,
  continueCommand,
  otherModelCommand,
  waitCommand,
  workCommand,
  worksFromPlan,
} from "../core/continue-command.ts";
import type { State } from "../core/journal/state.ts";
import type { StatusReport } from "../core/report/status-report.ts";
import { STOP_REASONS, type StopReason } from "../core/stop/stop-reasons.ts";
import { dayAndTime } from "./live/wait-line.ts";

/** The end of a run. */
export type RunEnd = Begin & {
  reason: StopReason;
  /** As in the status: the provider's reset time, if its limit ended the run and stated one. */
  limit_resets_at: StatusReport["limit_resets_at"];
  /** Its last iteration; 0 if none began. The end card, which then says the step in its sentence, does without. */
  iteration?: number;
  /** Whether the plan that it completed has open boxes again. */
  reopened?: boolean;
  /** Whether nothing is set aside any more. */
  answered?: boolean;
};

/** The end of the run of a state. */
export function runEnd(
  reason: StopReason,
  { started_by, words, project, limit }: Pick<State, "started_by" | "words" | "project" | "limit">,
): RunEnd {
  return { reason, started_by, words, project, limit_resets_at: limit?.resets_at ?? null };
}

/** What to do next, in words, and the commands in it, each ready to be typed. */
export type NextStep = { text: string; commands: string[] };

/**
 * The step of the table after such an end, with the commands of this run.
 * @param now epoch ms
 */
export function nextStep(end: RunEnd, now: number): NextStep {
  const all = parts(end, now);
  return { text: all.join(""), commands: all.filter((_, at) => at % 2 === 1) };
}

/** Text and commands in turn. */
function parts(end: RunEnd, now: number): string[] {
  const { next, ...row } = STOP_REASONS[end.reason];
  const said = stepNow(end, "action" in row ? row.action : null) ?? next;
  const step = said.replace("{after_limit}", () => afterLimit(end, now));
  return step.split("`").map((part) =>
    part
      .replace("{wait}", () => waitCommand(end))
      .replace("{work}", () => workCommand(end))
      .replace("{other_model}", () => otherModelCommand(end))
      .replace("{again}", () => continueCommand(end)),
  );
}

/** What the table cannot know: where the run was as it ended, and what became of it since. Null: the step of the table. */
function stepNow(end: RunEnd, action: string | null): string | null {
  // A run that the breaker of the one before it refused has no log that says why.
  if (end.iteration === 0 && action === "circuit_breaker_open")
    return "Go on with: `ralph circuit reset`, and `{work}`";
  if (end.reopened === true && STOP_REASONS[end.reason].status === "completed" && worksFromPlan(end))
    return "The plan has open boxes again. Go on with: `{work}`";
  if (end.started_by === "swarm") {
    // A worker also ends by what git refuses it. What a swarm waits for stands in its claims.
    return end.reason === "agent_unusable"
      ? "Mend what the error names, or look at the agent with: `ralph drivers`. Then go on with: `{again}`"
      : null;
  }
  return end.reason === "waits_for_answer" && end.answered === true ? "It is answered. Go on with: `{work}`" : null;
}

function afterLimit({ started_by, limit_resets_at: at }: RunEnd, now: number): string {
  if (at !== null && Date.parse(at) <= now) return "The limit is over. Go on with: `{again}`";
  const when = at === null ? "" : `It resets ${dayAndTime(at, now)}. `;
  // An import does not wait.
  return `${when}${started_by === "import" ? "When it is over: `{again}`" : "Wait it out with: `{wait}`"}`;
}
