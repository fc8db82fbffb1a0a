import type { ReviewState } from "../core/decide/review-state.ts";
import type { State } from "../core/journal/state.ts";
import type { ParsedPlan } from "../core/plan/fix-plan.ts";
import { composePrompt } from "../core/prompt/compose-prompt.ts";
import { type Asked, lookPrompt } from "../core/prompt/look-prompt.ts";
import { reviewContext, reviewPrompt } from "../core/prompt/review-prompt.ts";
import { workWords } from "../core/prompt/work-words.ts";
import type { Settings } from "../core/settings/settings.ts";
import type { Command, CommandRequest, Driver } from "../driver.ts";
import type { Snapshot } from "../effects/ports.ts";
import type { Agent } from "./agent.ts";
import type { Run } from "./run.ts";

/** The fields that come from the agent, the settings and the machine. */
export type RequestBase = {
  agent: Pick<Agent, "driver" | "binary">;
  settings: Settings;
  newSessionId: string;
  cwd: string;
  isGitRepository: boolean;
};

/**
 * These fields for a call of a run.
 * @param tree the project as it was just seen; without it its repository is searched for
 */
export function requestBase(
  { world, settings }: Pick<Run, "world" | "settings">,
  agent: Agent,
  tree: Pick<Snapshot, "isGitRepository"> = world.workspace,
): RequestBase {
  const { isGitRepository } = tree;
  return { agent, settings, newSessionId: world.newSessionId(), cwd: world.host.cwd, isGitRepository };
}

export type RequestInput = RequestBase & {
  prompt: string;
  context?: string | null;
  /** Without it the call begins a session. */
  resume?: string | null;
  /** Whether to stream text while it is being written. */
  partial?: boolean;
  /** Only tools that cannot write. */
  readOnly: boolean;
};

/** Composes the request for one call of an agent. */
export function composeRequest({ agent, settings, ...input }: RequestInput): CommandRequest {
  const { driver, binary } = agent;
  const { context = null, resume = null, partial = false, readOnly } = input;
  const takesAllowlist = !readOnly && driver.supportsToolAllowlist === true;
  return {
    ...input,
    binary,
    context,
    resume: resumable(driver, resume),
    format: settings.CLAUDE_OUTPUT_FORMAT,
    partial: partial && driver.supportsLiveOutput !== false,
    model: settings.CLAUDE_MODEL,
    effort: settings.CLAUDE_EFFORT,
    allowedTools: takesAllowlist ? settings.ALLOWED_TOOLS : null,
    permissionMode: settings.CLAUDE_PERMISSION_MODE,
    ...(settings.SANDBOX === "none" ? {} : { shutIn: true }),
  };
}

/**
 * An agent without sessions begins anew, whatever the journal knows (an older or newer version of it may have them). So does one whose
 * session is called like a flag: it would be one, and a journal that came with a clone can name any.
 */
function resumable({ supportsSessions }: Pick<Driver, "supportsSessions">, session: string | null): string | null {
  return supportsSessions === false || session?.startsWith("-") ? null : session;
}

export type WorkInput = RequestBase & {
  state: State;
  /** Number of the iteration that the call belongs to. */
  number: number;
  resume: string | null;
  /** The project's prompt, or the task in its place. */
  prompt: string;
  plan: ParsedPlan | null;
  live: boolean;
  /** The branch that the run began on, if HEAD is on none now. */
  branchLeft?: string | null;
};

/** What an iteration's agent is sent, and what of it the loop added to the user's prompt. */
export type Work = { request: CommandRequest; notes: string | null };

/**
 * Composes the request of the next iteration. The loop, `ralph prompt`, `--dry-run` and the check before a run share
 * it, so they cannot differ.
 */
export function composeWork({ state, number, prompt, plan, live, branchLeft = null, ...base }: WorkInput): Work {
  const { settings } = base;
  const resumed = resumable(base.agent.driver, base.resume) !== null;
  const { notes, context } = workWords(state, settings, { number, plan, resumed, branchLeft });
  const request = composeRequest({
    ...base,
    prompt: composePrompt(prompt, settings.PREAMBLE, notes),
    context,
    partial: live,
    readOnly: false,
  });
  return { request, notes };
}

export type ReviewInput = RequestBase & {
  review: ReviewState;
  /** The project's own prompt for reviews; null for ralph's. */
  prompt: string | null;
};

/** Composes the request of a review, in a session of its own. */
export function composeReview({ review, prompt, ...base }: ReviewInput): CommandRequest {
  const context = reviewContext(review);
  return composeRequest({ ...base, prompt: reviewPrompt(prompt, review.files), context, readOnly: true });
}

export type LookInput = RequestBase & {
  asked: Asked;
  /** The shell that will run what the look names. */
  shell: string;
  /** Name of the driver that does the run's work: only it has the model and the effort of the settings. */
  worker: string;
};

/** Composes the request of a stranger's look, in a session of its own and without a word of the run. */
export function composeLook({ asked, shell, worker, ...base }: LookInput): CommandRequest {
  const { REVIEW_MODEL, CLAUDE_MODEL, CLAUDE_EFFORT } = base.settings;
  const isWorker = base.agent.driver.name === worker;
  const model = REVIEW_MODEL ?? (isWorker ? CLAUDE_MODEL : null);
  const request = composeRequest({ ...base, prompt: lookPrompt(asked, shell), readOnly: true });
  return { ...request, model, effort: isWorker ? CLAUDE_EFFORT : null };
}

/** Builds the command of a call. */
export function buildCommand({ driver }: Pick<Agent, "driver">, request: CommandRequest): Command {
  const command = driver.buildCommand(request);
  return request.partial ? (driver.prepareLiveCommand?.(command) ?? command) : command;
}
