import { isTestHeavy } from "../core/decide/completion.ts";
import type { ReviewState } from "../core/decide/review-state.ts";
import type { State } from "../core/journal/state.ts";
import { type ParsedPlan, parsePlan } from "../core/plan/fix-plan.ts";
import { composePrompt } from "../core/prompt/compose-prompt.ts";
import { loopContext } from "../core/prompt/prompt-context.ts";
import { reviewContext, reviewPrompt } from "../core/prompt/review-prompt.ts";
import type { Settings } from "../core/settings/settings.ts";
import type { Command, CommandRequest, Driver } from "../driver.ts";

export type ComposedCall = { request: CommandRequest; command: Command };

export type ComposeInput = {
  driver: Driver;
  binary: readonly string[];
  settings: Settings;
  state: State;
  /** Number of the iteration that the call belongs to. */
  number: number;
  resume: string | null;
  newSessionId: string;
  prompt: string;
  plan: ParsedPlan | null;
  notes: readonly string[];
  cwd: string;
  isGitRepository: boolean;
  live: boolean;
};

/** What the next call sends: the same function behind the loop, `ralph prompt` and `--dry-run`, so that they can't differ. */
export function composeCall(input: ComposeInput): ComposedCall {
  const { driver, settings } = input;
  const request: CommandRequest = {
    binary: input.binary,
    prompt: composePrompt(input.prompt, settings.PREAMBLE, input.notes),
    context: callContext(input) || null,
    resume: driver.supportsSessions === false ? null : input.resume,
    newSessionId: input.newSessionId,
    format: settings.CLAUDE_OUTPUT_FORMAT,
    partial: input.live && driver.supportsLiveOutput !== false,
    model: settings.CLAUDE_MODEL,
    effort: settings.CLAUDE_EFFORT,
    allowedTools: driver.supportsToolAllowlist === true ? settings.ALLOWED_TOOLS : null,
    permissionMode: settings.CLAUDE_PERMISSION_MODE,
    readOnly: false,
    cwd: input.cwd,
    isGitRepository: input.isGitRepository,
  };
  const command = driver.buildCommand(request);
  const live = request.partial && driver.prepareLiveCommand !== undefined;
  return { request, command: live ? (driver.prepareLiveCommand?.(command) ?? command) : command };
}

export type ReadOnlyInput = Pick<
  ComposeInput,
  "driver" | "binary" | "settings" | "resume" | "newSessionId" | "prompt" | "cwd" | "isGitRepository"
> & { context: string | null };

/** What a call beside the work sends, a review or an import: tools that only read, and no text as it is being written. */
export function composeReadOnly({ driver, settings, ...rest }: ReadOnlyInput): ComposedCall {
  const request: CommandRequest = {
    ...rest,
    format: settings.CLAUDE_OUTPUT_FORMAT,
    partial: false,
    model: settings.CLAUDE_MODEL,
    effort: settings.CLAUDE_EFFORT,
    allowedTools: null,
    permissionMode: settings.CLAUDE_PERMISSION_MODE,
    readOnly: true,
  };
  return { request, command: driver.buildCommand(request) };
}

export type ReviewInput = Omit<ReadOnlyInput, "prompt" | "context" | "resume"> & {
  review: ReviewState;
  /** The project's own prompt for reviews; null for ralph's. */
  prompt: string | null;
};

/** What a review sends, in a session of its own. */
export function composeReview({ review, prompt, ...rest }: ReviewInput): ComposedCall {
  return composeReadOnly({ ...rest, prompt: reviewPrompt(prompt), context: reviewContext(review), resume: null });
}

function callContext({ number, plan, state, resume, settings }: ComposeInput): string {
  return loopContext({
    number,
    plan,
    state,
    resumed: resume !== null,
    projectName: settings.PROJECT_NAME,
    isTestHeavy: isTestHeavy(state.trend, settings.TEST_PERCENTAGE_THRESHOLD),
  });
}

/** The plan's text as counts and tasks; null where there is no plan. */
export function parseProjectPlan(text: string | null, settings: Settings): ParsedPlan | null {
  return text === null ? null : parsePlan(text, settings.OPTIONAL_SECTIONS);
}
