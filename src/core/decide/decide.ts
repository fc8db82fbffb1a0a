import { shownDenials } from "../answer/denial.ts";
import { DAY_MS } from "../durations.ts";
import type { WaitReason } from "../journal/event.ts";
import type { OpenIteration, State } from "../journal/state.ts";
import { countAside } from "../needs/questions.ts";
import { pendingMessages } from "../prompt/user-messages.ts";
import type { Settings } from "../settings/settings.ts";
import { deadline, reachedBound } from "../stop/bounds.ts";
import { nextAllowed } from "../stop/budget.ts";
import { STOPPED_BY } from "../stop/requested-stop.ts";
import { mostFailures } from "../stop/same-failure.ts";
import { type BoundSettings, type CountedReason, STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import { isCounted, type ReachedEnd, reachedEnd } from "../stop/stop-rule.ts";
import { count } from "../text/count.ts";
import { type CompletionSettings, exitRule, gatesBlock, policyObjections } from "./completion.ts";
import { idlePause, isFreshLookDue } from "./idle-ladder.ts";
import { nearWaits } from "./near-waits.ts";
import { isConfirmed, isProven } from "./proven.ts";
import { findResumableSession } from "./session.ts";
import { isRenewalDue } from "./session-renewal.ts";

/** The loop's next step. Times in epoch ms; `drops`: why the session is not resumed and left behind. */
export type Decision =
  | {
      do: "run";
      number: number;
      call: number;
      resume: string | null;
      drops: "session_expired" | "session_renewed" | "session_idle" | null;
    }
  | { do: "wait"; until: number; why: WaitReason; message: string }
  | { do: "stop"; reason: StopReason; sentence: string };

/** The settings that affect the decision. */
export type DecideSettings = CompletionSettings &
  BoundSettings &
  Pick<
    Settings,
    | "MAX_CALLS_PER_HOUR"
    | "MAX_TOKENS_PER_HOUR"
    | "ON_USAGE_LIMIT"
    | "PERMISSION_DENIAL_MODE"
    | "ON_QUESTION"
    | "SESSION_CONTINUITY"
    | "SESSION_EXPIRY_HOURS"
    | "SESSION_RENEW"
    | "PROVEN_COMPLETE"
    | "SAME_DENIAL_THRESHOLD"
    | "NO_HEADWAY_THRESHOLD"
  >;

type Wait = Extract<Decision, { do: "wait" }>;
type RunStep = Extract<Decision, { do: "run" }>;

const LONGEST_WAIT_MS = 365 * DAY_MS;

type StopCheck = (state: State, settings: DecideSettings, now: number) => ReachedEnd | null;

/** Ends of a run whose work is not done. */
const UNDONE: readonly StopCheck[] = [
  betweenIterations(counted("blocked")),
  betweenIterations(permissionDenied),
  betweenIterations(openBreaker),
  betweenIterations(counted("denied_repeatedly")),
  betweenIterations(counted("no_headway")),
  refusedWait,
  reachedBound,
  counted("infrastructure_failures"),
];

/**
 * The checks for an end of the run, in their order; the first result decides. On one iteration, done wins over the
 * breaker and the breaker over a bound.
 */
const STOPS: readonly StopCheck[] = [
  requestedStop,
  unusableAgent,
  betweenIterations(weakenedGates),
  betweenIterations(everythingParked),
  betweenIterations(completion),
  ...UNDONE,
];

/**
 * Decides to run, wait or stop (product.md "What ralph decides"). Pure: the same state, settings and time give the same
 * decision.
 * @param now epoch ms
 */
export function decide(state: State, settings: DecideSettings, now: number): Decision {
  for (const check of STOPS) {
    const end = check(state, settings, now);
    if (end !== null) return { do: "stop", ...end };
  }
  return wait(state, settings, now) ?? run(state, settings, now);
}

/** An open iteration may still turn out to be the end of the work. */
function betweenIterations(check: StopCheck): StopCheck {
  return (state, settings, now) => (state.open === null ? check(state, settings, now) : null);
}

function counted(reason: CountedReason): StopCheck {
  return (state, settings, now) => reachedEnd(reason, state, settings, now);
}

/** A stop after the iteration does not wait for an iteration that only waits for a limit, or for a person. */
function requestedStop({ stop_requested, open, limit, paused }: State): ReachedEnd | null {
  if (stop_requested === null) return null;
  if (stop_requested.how === "after_iteration") {
    const waits = limit !== null && limit.until !== null;
    return open === null || waits || paused ? stop("stopped_by_user") : null;
  }
  return stop(STOPPED_BY[stop_requested.by]);
}

/**
 * Errors that no further call can fix. One that may pass by itself is met twice before it is believed. A program that worked in
 * this run and is not there may be being replaced by a newer one: it gets as many attempts as any failure.
 */
function unusableAgent({ last_call, failures }: State): ReachedEnd | null {
  const error = last_call?.error ?? null;
  if (last_call?.outcome === "spawn_failed") {
    // Its message already says that the agent could not be started, and why.
    const end = stop("agent_unusable", error?.message);
    return failures.answered && failures.count < mostFailures(failures) ? null : end;
  }
  if (error === null || (error.passing === true && failures.same.count < 2)) return null;
  switch (error.class) {
    case "auth":
      return stop("authentication", `The agent's login is missing or not accepted: ${error.message}`);
    case "billing":
      return stop("unpaid", `The agent's account has no credit or quota left: ${error.message}`);
    case "model":
      return stop("model_unavailable", `The agent cannot use the model: ${error.message}`);
    case "config":
      return stop("agent_unusable", `The agent cannot be used: ${error.message}`);
    default:
      return null;
  }
}

/** The end according to the last answer, or to the present plan: not before the agent has had what a person said, if the run may go on. */
function completion(state: State, settings: DecideSettings, now: number): ReachedEnd | null {
  const { last } = state;
  const isUnheard = pendingMessages(state.said).length > 0;
  if (isUnheard && UNDONE.every((check) => check(state, settings, now) === null)) return null;
  // The output of a failed call is no answer: what the answer before it objected to (tests that fail) still holds.
  if (last?.outcome === "failed") return null;
  const answer = last?.analysis;
  const facts = { plan: state.plan, gates: state.gates, redTests: answer?.tests_status === "FAILING" };
  const claims = {
    signals: state.signals,
    rejected: state.held,
    exitSignal: answer?.exit_signal === true,
    takenOff: state.taken_off,
    quiet: state.headway.quiet,
  };
  const reason = exitRule(claims, facts, settings);
  if (reason !== null) return (isCounted(reason) ? reachedEnd(reason, state, settings, now) : null) ?? stop(reason);
  if (policyObjections(facts, settings).length > 0) return null;
  if (claims.exitSignal && isConfirmed(state, settings)) return stop("project_complete", CONFIRMED);
  return isProven(state, settings) ? stop("proven_complete") : null;
}

const CONFIRMED = "The agent said that everything is done, and a gate that its work turned green agrees.";

/** The agent was told once that the gates got weaker, and claims again that they prove its work. */
function weakenedGates(state: State, settings: DecideSettings, now: number): ReachedEnd | null {
  return gatesBlock(settings) ? reachedEnd("gate_weakened", state, settings, now) : null;
}

/** Before completion: a task that waits for an answer is not done, whatever the agent claims. */
function everythingParked({ inbox, plan, taken_off }: State, settings: DecideSettings): ReachedEnd | null {
  const parked = countAside(inbox, settings);
  // The plan does not count them among its open ones.
  const off = inbox.open.filter(({ task }) => task !== null && taken_off.includes(task));
  const ofPlan = parked - countAside({ open: off }, settings);
  return parked > 0 && ofPlan >= (plan?.blocking_unchecked ?? 0) ? stop("waits_for_answer") : null;
}

function permissionDenied({ last }: State, { PERMISSION_DENIAL_MODE }: DecideSettings): ReachedEnd | null {
  if (PERMISSION_DENIAL_MODE !== "halt" || last === null) return null;
  const { has_permission_denials, has_compound_command_limitation, denied_commands } = last.analysis;
  if (!has_permission_denials || has_compound_command_limitation) return null;
  const what = shownDenials(denied_commands).join(", ");
  return stop("permission_denied", what === "" ? undefined : `The agent was denied ${what}.`);
}

function openBreaker({ breaker, iterations }: State): ReachedEnd | null {
  if (breaker.state !== "open") return null;
  if (iterations > 0) return stop(breaker.reason, breaker.sentence);
  // This run tried nothing: the sentence is about an earlier one.
  const sentence = `The circuit breaker is still OPEN. ${breaker.sentence} Close it with: ralph circuit reset`;
  return stop(breaker.reason, sentence);
}

/** Stops at a provider's limit if the user does not want to wait. */
function refusedWait({ limit }: State, settings: DecideSettings): ReachedEnd | null {
  if (limit === null || limit.until === null || settings.ON_USAGE_LIMIT === "wait") return null;
  return stop("usage_limit", limit.message === "" ? undefined : `The provider's limit is reached: ${limit.message}`);
}

/** The wait that is due before the next iteration, at most until a time bound ends the run. */
function wait(state: State, settings: DecideSettings, now: number): Wait | null {
  const near = nearWaits(state, now);
  const due = obstacle(near, now) ?? idleWait(near, settings, now) ?? budgetWait(near, settings, now);
  return inTime(due, state, settings);
}

/** The wait that is due before any other call. */
export function callWait(state: State, settings: DecideSettings, now: number): Wait | null {
  const near = nearWaits(state, now);
  return inTime(obstacle(near, now) ?? budgetWait(near, settings, now), state, settings);
}

function inTime(due: Wait | null, state: State, settings: DecideSettings): Wait | null {
  return due === null ? null : { ...due, until: Math.min(due.until, deadline(state, settings)) };
}

function obstacle(state: State, now: number): Wait | null {
  return pause(state, now) ?? limitWait(state, now) ?? failureWait(state, now);
}

/** The user ends a pause; the time only keeps it within the range of clocks and calendars. */
function pause({ paused }: State, now: number): Wait | null {
  return paused ? { do: "wait", until: now + LONGEST_WAIT_MS, why: "paused", message: "" } : null;
}

function limitWait({ limit }: State, now: number): Wait | null {
  if (limit === null || limit.until === null || now >= limit.until) return null;
  return { do: "wait", until: limit.until, why: limit.kind, message: limit.message };
}

function failureWait({ failures }: State, now: number): Wait | null {
  const { until } = failures;
  if (until === null || now >= until) return null;
  const why = failures.class === "offline" ? "offline" : "failure";
  return { do: "wait", until, why, message: failures.message };
}

function idleWait({ headway, last, open }: State, settings: DecideSettings, now: number): Wait | null {
  const ms = open === null && last !== null ? idlePause(headway.idle, settings) : 0;
  const until = Date.parse(last?.at ?? "") + ms;
  if (ms === 0 || now >= until) return null;
  return { do: "wait", until, why: "idle", message: "" };
}

function budgetWait(state: State, settings: DecideSettings, now: number): Wait | null {
  const { MAX_CALLS_PER_HOUR, MAX_TOKENS_PER_HOUR } = settings;
  const allowance = nextAllowed(state.budget, { calls: MAX_CALLS_PER_HOUR, tokens: MAX_TOKENS_PER_HOUR }, now);
  if (allowance.allowed) return null;
  const [most, one] = allowance.why === "call_budget" ? [MAX_CALLS_PER_HOUR, "call"] : [MAX_TOKENS_PER_HOUR, "token"];
  return {
    do: "wait",
    until: allowance.resets_at,
    why: allowance.why,
    message: `The ${count(most, `${one} of this hour is`, `${one}s of this hour are`)} spent.`,
  };
}

function run(state: State, settings: DecideSettings, now: number): Decision {
  const { open } = state;
  if (open === null) {
    return { do: "run", number: state.iteration + 1, call: 1, ...nextSession(state, settings, now) };
  }
  return {
    do: "run",
    number: open.number,
    call: open.call + 1,
    resume: sameSession(state, open, settings),
    drops: null,
  };
}

/** The session of the next iteration: the one so far, unless it is too old or a new one pays. */
function nextSession(state: State, settings: DecideSettings, now: number): Pick<RunStep, "resume" | "drops"> {
  const { session, driver, last } = state;
  const { resume, expired } = findResumableSession(session, { settings, driver, now });
  if (expired) return { resume: null, drops: "session_expired" };
  if (resume !== null && isFreshLookDue(state.headway.idle, settings)) return { resume: null, drops: "session_idle" };
  const costs = session.session_id === null ? [] : (session.costs ?? []);
  if (resume !== null && isRenewalDue(costs, last?.evidence ?? null, settings))
    return { resume: null, drops: "session_renewed" };
  return { resume, drops: null };
}

/**
 * The session for a repeated call: that of the previous call, whatever its age, unless the agent rejected it. Without
 * continuity only a session that started in this iteration is resumed.
 */
function sameSession(
  { session, driver, last_call }: State,
  open: OpenIteration,
  settings: DecideSettings,
): string | null {
  const isLost = last_call?.error?.class === "session" || last_call?.error?.class === "context";
  if (session.session_id === null || session.driver !== driver || isLost) return null;
  const own = Date.parse(session.created_at) >= Date.parse(open.started_at);
  return settings.SESSION_CONTINUITY || own ? session.session_id : null;
}

function stop(reason: StopReason, sentence: string = STOP_REASONS[reason].text): ReachedEnd {
  return { reason, sentence };
}
