import type { EventBody } from "../core/journal/event.ts";
import { type ProcessIdentity, runMarker } from "../core/journal/process-identity.ts";
import { type BrokenOff, carryOver, isDone, type OpenCall, type State } from "../core/journal/state.ts";
import { addUsage, believableUsage, costOf, noUsage, type Spending, type TokenCounts } from "../core/journal/usage.ts";
import { stillTakenOff } from "../core/plan/box-changes.ts";
import type { ParsedPlan, PlanCounts } from "../core/plan/fix-plan.ts";
import type { Settings } from "../core/settings/settings.ts";
import { appendTransition } from "../core/stop/breaker-history.ts";
import { carriedBudget } from "../core/stop/budget.ts";
import { breakerAtStart } from "../core/stop/circuit-breaker.ts";
import { BROKEN_OFF } from "../core/stop/stop-reasons.ts";
import { utcOffset } from "../core/text/time-text.ts";

/** Why an iteration broke off that has no end of its own. */
export const ENDED_BEFORE = "ralph ended before the iteration did";

/** The missing end of a run without `run_finished`. */
export type Recovery = {
  /** Events to append to the old journal, so that everything started has an end. */
  closing: EventBody[];
  interrupted: number | null;
};

/**
 * Plans how to close an interrupted run's journal; null if the run ended properly.
 * @param plan what it is at now: what the broken iteration ticked is in it
 */
export function planRecovery(state: State, plan: PlanCounts | null = null): Recovery | null {
  if (state.run === "" || state.finished !== null) return null;
  const closing: EventBody[] = [];
  if (state.wait !== null) closing.push({ type: "wait_ended", why: state.wait.why });
  if (state.gate !== null) closing.push(lostGate(state.gate.command));
  if (state.call !== null) closing.push(...endOfCall(state.call));
  if (state.open !== null) {
    const ticked = plan === null ? {} : { plan };
    closing.push({ type: "iteration_interrupted", number: state.open.number, why: ENDED_BEFORE, ...ticked });
  }
  return { closing, interrupted: state.open?.number ?? null };
}

/**
 * The process that an interrupted run may have left behind. An agent or gate that was just started is not in the
 * journal yet; then only the run's marker is known.
 */
export function orphanIdentity(state: State): ProcessIdentity {
  const unrecorded = { pid: 0, group: 0, start_time: null, marker: runMarker(state) };
  return state.call?.agent ?? state.gate?.process ?? unrecorded;
}

function lostGate(command: string): EventBody {
  return { type: "gate_finished", command, exit_code: null, ms: 0, timed_out: false, output: "" };
}

/** An iteration, a review and a look end with events of their own; every other call ends with its agent. */
function endOfCall({ purpose, call, agent }: OpenCall): EventBody[] {
  const lost = agent === null ? [] : [lostCall(call)];
  if (purpose === "main") return lost;
  if (purpose === "look")
    return [
      ...lost,
      { type: "look_finished", call, result: "failed", gap: null, sentence: "The look was interrupted." },
    ];
  if (purpose !== "review") return [lostCall(call)];
  return [...lost, { type: "review_finished", call, findings: null, sentence: "The review was interrupted." }];
}

function lostCall(call: number): EventBody {
  return {
    type: "agent_finished",
    call,
    outcome: "stopped",
    exit_code: null,
    signal: null,
    ms: 0,
    ok: false,
    final_text: null,
    error: null,
    unknown_events: 0,
    repeat: null,
  };
}

/** What a person would call the same run: it was started in the same way, for the same task. */
type NextRun = { startedBy: string; task: string | null; settings: Settings };

/** So many runs that broke off are remembered: whoever kills more of them never comes back to the first. */
const MOST_BROKEN_OFF = 8;

/** The runs up to this one that broke off and that none went on with, each of another kind or for another task, the newest last. */
function brokenOff(previous: State): BrokenOff[] {
  const { run, started_by, task, task_usage, task_ms, more_iterations, earlier, settings } = previous;
  if (run === "" || !brokeOff(previous)) return previous.broken_off;
  const { MAX_ITERATIONS = null, MAX_COST_USD = null, MAX_TOKENS = null } = settings;
  const mine: BrokenOff = {
    ...{ started_by, task, bounds: { MAX_ITERATIONS, MAX_COST_USD, MAX_TOKENS } },
    iterations: earlier.iterations + previous.iterations,
    usage: addUsage(earlier.usage, previous.usage),
    ...{ task_usage, task_ms, more_iterations },
  };
  return [...previous.broken_off.filter((one) => !isSame(one, mine)), mine].slice(-MOST_BROKEN_OFF);
}

function brokeOff({ finished }: State): boolean {
  return finished === null || BROKEN_OFF.has(finished.reason);
}

function isSame(one: Pick<BrokenOff, "started_by" | "task">, other: Pick<BrokenOff, "started_by" | "task">): boolean {
  return one.started_by === other.started_by && one.task === other.task;
}

/**
 * What a run that broke off, by a kill or a crash, had spent: the run that takes it up counts it against the bounds, or else each
 * crash would allow all of them again. What ran between for something else changes nothing (`leftBrokenOff`). After any other end
 * a new run begins anew, and so does a bound that was given another value since: whoever gives it means what comes (product.md
 * "Bounds"). The journal may have come with a clone, so it takes from a bound, and adds nothing: of what somebody added, only as much
 * counts as was used.
 */
export function carriedSpending(previous: State, { startedBy, task, settings }: NextRun): Partial<State> {
  const own = brokenOff(previous).find((one) => isSame(one, { started_by: startedBy, task }));
  if (own === undefined) return {};
  const { bounds, task_ms, more_iterations } = own;
  const usage = noLessThanNothing(own.usage);
  const iterations = Math.max(0, own.iterations);
  const isKept = (bound: keyof typeof bounds) => bounds[bound] === settings[bound];
  const counts = isKept("MAX_ITERATIONS");
  return {
    earlier: {
      iterations: counts ? iterations : 0,
      usage: {
        ...noUsage(),
        ...(isKept("MAX_COST_USD") ? costOf(usage) : {}),
        ...(isKept("MAX_TOKENS") ? tokensOf(usage) : {}),
      },
    },
    task_usage: noLessThanNothing(own.task_usage),
    task_ms,
    more_iterations: counts ? Math.min(more_iterations, iterations) : 0,
  };
}

/** Without what would add to a bound. */
function noLessThanNothing(usage: Spending): Spending {
  const { estimated_usd = 0, ...told } = believableUsage(usage).usage;
  return estimated_usd > 0 ? { ...told, estimated_usd } : told;
}

/** The runs that broke off and that the next one does not go on with: a later one may. */
export function leftBrokenOff(previous: State, { startedBy, task }: NextRun): BrokenOff[] {
  return brokenOff(previous).filter((one) => !isSame(one, { started_by: startedBy, task }));
}

/** The tasks that the same work, not done yet, took off the plan without a tick, and that have none since. */
export function carriedTakenOff(
  previous: State,
  { startedBy, task }: Pick<NextRun, "startedBy" | "task">,
  plan: ParsedPlan | null,
): Pick<State, "taken_off"> {
  const goesOn = isSame(previous, { started_by: startedBy, task }) && !isDone(previous);
  return { taken_off: goesOn ? stillTakenOff(previous.taken_off, plan) : [] };
}

function tokensOf({ input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens }: Spending): TokenCounts {
  return { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens };
}

/**
 * Whether the last call for the same work was ended in the middle; what was begun for other work, this one is not to finish. A look at a
 * run that was killed finds the call's end not recorded yet.
 */
export function carriedCutOff(
  previous: State,
  { startedBy, task }: Pick<NextRun, "startedBy" | "task">,
): Pick<State, "cut_off"> {
  const { call, last_call } = previous;
  const isOpen = call?.purpose === "main" && call.agent !== null;
  const wasCutOff = previous.cut_off || isOpen || last_call?.outcome === "stopped";
  return { cut_off: wasCutOff && isSame(previous, { started_by: startedBy, task }) };
}

/**
 * The state that a new run starts with at `now` (epoch ms): the part that carries over, with the breaker after its cooldown.
 * @param offset of local time then, in ms
 */
export function initialRunState(previous: State, settings: Settings, now: number, offset = utcOffset(now)): State {
  const state = carryOver(previous);
  const times = { cooldownMinutes: settings.CB_COOLDOWN_MINUTES, autoReset: settings.CB_AUTO_RESET };
  const breaker = breakerAtStart(state.breaker, times, now);
  const at = new Date(now).toISOString();
  const budget = carriedBudget(state.budget, now, offset);
  return {
    ...state,
    // A HEAD that is detached now may be so since its agent was ended in the middle of something.
    home: brokeOff(previous) ? previous.home : null,
    budget,
    breaker,
    breaker_history: appendTransition(state.breaker_history, state.breaker, breaker, at, 0),
  };
}
