import { DAY_MS } from "../durations.ts";
import type { WaitReason } from "../journal/event.ts";
import type { OpenIteration, State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { type BoundSettings, deadline, reachedBound } from "../stop/bounds.ts";
import { nextAllowed } from "../stop/budget.ts";
import { MAX_FAILURE_BACKOFF_MS, MAX_FAILURES_IN_A_ROW } from "../stop/failure-backoff.ts";
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import { MAX_BACKOFF_MS } from "../stop/usage-limit.ts";
import { type CompletionSettings, exitRule } from "./completion.ts";
import { findResumableSession } from "./session.ts";

/** What the loop does next. Times in epoch ms; `expired`: the session was too old to be resumed. */
export type Decision =
  | { do: "run"; number: number; call: number; resume: string | null; expired: boolean }
  | { do: "wait"; until: number; why: WaitReason; message: string }
  | { do: "stop"; reason: StopReason; sentence: string };

/** The settings that decide. */
export type DecideSettings = CompletionSettings &
  BoundSettings &
  Pick<
    Settings,
    | "MAX_CALLS_PER_HOUR"
    | "MAX_TOKENS_PER_HOUR"
    | "ON_USAGE_LIMIT"
    | "PERMISSION_DENIAL_MODE"
    | "SESSION_CONTINUITY"
    | "SESSION_EXPIRY_HOURS"
  >;

type Stop = Extract<Decision, { do: "stop" }>;
type Wait = Extract<Decision, { do: "wait" }>;

export const MAX_BLOCKED_IN_A_ROW = 2;
const LONGEST_WAIT_MS = 365 * DAY_MS;

/**
 * Run, wait or stop: the first rule that has something to say (product.md "What ralph decides"). On one iteration, done
 * wins over the breaker and the breaker over a bound. Pure: the same state, settings and time give the same decision.
 * @param now epoch ms
 */
export function decide(state: State, settings: DecideSettings, now: number): Decision {
  return (
    requestedStop(state) ??
    unusableAgent(state) ??
    endOfWork(state, settings) ??
    refusedWait(state, settings) ??
    bound(state, settings, now) ??
    tooManyFailures(state) ??
    wait(state, settings, now) ??
    run(state, settings, now)
  );
}

/** A stop after the iteration need not wait for one that itself only waits for a limit to pass. */
function requestedStop({ stop_requested, open, limit }: State): Stop | null {
  if (stop_requested === null) return null;
  if (stop_requested.how === "after_iteration") {
    const waits = limit !== null && limit.until !== null;
    return open === null || waits ? stop("stopped_by_user") : null;
  }
  switch (stop_requested.by) {
    case "SIGINT":
      return stop("interrupted");
    case "SIGTERM":
      return stop("terminated");
    case "SIGHUP":
      return stop("hung_up");
    case "user":
      return stop("stopped_by_user");
  }
}

/** Errors that no further call can mend. */
function unusableAgent({ last_call }: State): Stop | null {
  const error = last_call?.error;
  if (error?.class === "auth")
    return stop("authentication", `The agent has no login that is accepted: ${error.message}`);
  // Its words say already that it could not be started, and why.
  if (last_call?.outcome === "spawn_failed") return stop("agent_unusable", error?.message);
  if (error?.class === "config") return stop("agent_unusable", `The agent cannot be used: ${error.message}`);
  return null;
}

/** What the last iteration, or the plan as it is, says of the end; an open iteration has yet to say it. */
function endOfWork(state: State, settings: DecideSettings): Stop | null {
  const { last, breaker } = state;
  if (state.open !== null) return null;
  // What a failed call printed is no answer.
  const answer = last?.outcome === "failed" ? undefined : last?.analysis;
  const facts = { plan: state.plan, gates: state.gates, redTests: answer?.tests_status === "FAILING" };
  const claims = { signals: state.signals, rejected: state.held, exitSignal: answer?.exit_signal === true };
  const done = exitRule(claims, facts, settings);
  if (done !== null) return stop(done);
  if (state.blocked >= MAX_BLOCKED_IN_A_ROW)
    return stop("blocked", blockedSentence(last?.analysis.recommendation ?? null));
  const denied = last?.analysis.has_permission_denials === true && !last.analysis.has_compound_command_limitation;
  if (denied && settings.PERMISSION_DENIAL_MODE === "halt") {
    const what = last.analysis.denied_commands.join(", ");
    return stop("permission_denied", what === "" ? undefined : `The agent was denied ${what}.`);
  }
  if (breaker.state !== "open") return null;
  // Nothing was tried in this run: the sentence is about an earlier one.
  const still = state.iterations === 0 ? "The circuit breaker is still OPEN. " : "";
  const wayOut = state.iterations === 0 ? " Close it with: ralph circuit reset" : "";
  return stop(breaker.reason, `${still}${breaker.sentence}${wayOut}`);
}

function blockedSentence(recommendation: string | null): string | undefined {
  return recommendation === null
    ? undefined
    : `The agent says that it is blocked: ${recommendation.replace(/(?<![.!?…])$/, ".")}`;
}

/** A provider's limit that the user does not want to wait for. */
function refusedWait({ limit }: State, settings: DecideSettings): Stop | null {
  if (limit === null || limit.until === null || settings.ON_USAGE_LIMIT === "wait") return null;
  return stop("usage_limit", limit.message === "" ? undefined : `The provider's limit is reached: ${limit.message}`);
}

function bound(state: State, settings: DecideSettings, now: number): Stop | null {
  const reached = reachedBound(state, settings, now);
  return reached === null ? null : stop(reached.reason, reached.sentence);
}

function tooManyFailures({ failures }: State): Stop | null {
  if (failures.count < MAX_FAILURES_IN_A_ROW) return null;
  return stop("infrastructure_failures", `${failures.count} calls failed in a row; the last one: ${failures.message}`);
}

/** The wait that is due, at most until a bound in time ends the run. */
function wait(state: State, settings: DecideSettings, now: number): Wait | null {
  const due = pause(state, now) ?? limitWait(state, now) ?? failureWait(state, now) ?? budgetWait(state, settings, now);
  return due === null ? null : { ...due, until: Math.min(due.until, deadline(state, settings)) };
}

/** A pause ends when the user says so; the time only keeps it within what clocks and calendars can show. */
function pause({ paused }: State, now: number): Wait | null {
  return paused ? { do: "wait", until: now + LONGEST_WAIT_MS, why: "paused", message: "" } : null;
}

function limitWait({ limit }: State, now: number): Wait | null {
  if (limit === null || limit.until === null || now >= limit.until) return null;
  // Without a stated time the wait is our own: as with failures, a clock that was set back must not make it longer.
  const until = limit.resets_at === null ? Math.min(limit.until, now + MAX_BACKOFF_MS) : limit.until;
  return { do: "wait", until, why: limit.kind, message: limit.message };
}

function failureWait({ failures }: State, now: number): Wait | null {
  const { until } = failures;
  if (until === null || now >= until) return null;
  const why = failures.class === "offline" ? "offline" : "failure";
  // No pause is longer than this: a clock that was set back must not make it so.
  return { do: "wait", until: Math.min(until, now + MAX_FAILURE_BACKOFF_MS), why, message: failures.message };
}

function budgetWait(state: State, settings: DecideSettings, now: number): Wait | null {
  const { MAX_CALLS_PER_HOUR, MAX_TOKENS_PER_HOUR } = settings;
  const allowance = nextAllowed(state.budget, { calls: MAX_CALLS_PER_HOUR, tokens: MAX_TOKENS_PER_HOUR }, now);
  if (allowance.allowed) return null;
  const spent = allowance.why === "call_budget" ? `${MAX_CALLS_PER_HOUR} calls` : `${MAX_TOKENS_PER_HOUR} tokens`;
  return {
    do: "wait",
    until: allowance.resets_at,
    why: allowance.why,
    message: `The ${spent} of this hour are spent.`,
  };
}

function run(state: State, settings: DecideSettings, now: number): Decision {
  const { open } = state;
  if (open === null) {
    const session = findResumableSession(state.session, { settings, driver: state.driver, now });
    return { do: "run", number: state.iteration + 1, call: 1, ...session };
  }
  return {
    do: "run",
    number: open.number,
    call: open.call + 1,
    resume: sameSession(state, open, settings),
    expired: false,
  };
}

/**
 * The repeated call goes on in the session of the call before, whatever its age; one that the agent rejected is gone.
 * Without continuity only a session that this iteration began itself is resumed.
 */
function sameSession(
  { session, driver, last_call }: State,
  open: OpenIteration,
  settings: DecideSettings,
): string | null {
  if (session.session_id === null || session.driver !== driver || last_call?.error?.class === "session") return null;
  const own = Date.parse(session.created_at) >= Date.parse(open.started_at);
  return settings.SESSION_CONTINUITY || own ? session.session_id : null;
}

function stop(reason: StopReason, sentence: string = STOP_REASONS[reason].text): Stop {
  return { do: "stop", reason, sentence };
}
