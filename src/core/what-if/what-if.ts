import { isClosingReset, isInterruptedByEnd } from "../decide/end-of-run.ts";
import { gatesAfter, gatesFirst } from "../decide/gates-due.ts";
import { reviewDue } from "../decide/review-state.ts";
import type { SessionResetReason } from "../decide/session.ts";
import type { EventOf, RalphEvent } from "../journal/event.ts";
import { reduce } from "../journal/reduce.ts";
import { isRunOver } from "../journal/run-over.ts";
import { initialState, type State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import type { LoopStep } from "../look/look-first.ts";
import { workWords } from "../prompt/work-words.ts";
import type { SettingName, Settings } from "../settings/settings.ts";
import { breakerAtStart, breakerInput, type CircuitBreaker, stepBreaker } from "../stop/circuit-breaker.ts";
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import { limitedCall } from "./call-clocks.ts";
import { type ChangedSetting, recordedSettings, type SettingChanges, withChanges } from "./changed-settings.ts";
import { after } from "./course.ts";
import { stepAt, stepDifference } from "./loop-step.ts";
import { planKnown } from "./plan-known.ts";
import { REACH_WORDS } from "./reached.ts";
import { SETTING_REACH, type SettingReach } from "./setting-reach.ts";
import type { Course, Divergence, RunEnd, WhatIf, WhatIfReport } from "./what-if-types.ts";

/** A run under other settings, as long as it is the recorded one; `settled` from then on. */
type Shadow = {
  settings: Settings;
  changed: readonly ChangedSetting[];
  breaker: CircuitBreaker;
  /** Epoch ms at which its wait ends, where the recorded one ends at another time: a bound in time cut one of them. */
  wakes: number | null;
  settled: Omit<WhatIf, "changed" | "rest"> | null;
};

/** The run at a decision: the states that it was made from, and when it may have been made, in epoch ms. */
type Point = { own: State; others: ReadonlyMap<Shadow, State>; from: number; to: number; event: RalphEvent };

/** Ends that the loop does not decide: any settings lead there. */
const OUTSIDE: ReadonlySet<StopReason> = new Set(["files_deleted", "disk_full", "internal_error"]);
/** Resets that a decision brings. */
const DROPS: ReadonlySet<SessionResetReason> = new Set(["session_expired", "session_renewed", "session_idle"]);
/**
 * Follows a recorded run under other settings: the same facts, decided again, up to the first step that would have been another
 * one (product.md "What if"). Nothing is invented after that. It is exact because decisions are pure and the journal holds all
 * that they read; where this version decides otherwise than the one that made the run, it says so.
 * @param events of one run, from its first; texts of the agent may be missing
 * @param changes one set of settings for each answer
 * @returns null without a readable beginning
 */
export function whatIf(events: Iterable<RalphEvent>, changes: readonly SettingChanges[]): WhatIfReport | null {
  const replay = createReplay(changes);
  for (const event of events) replay.take(event);
  return replay.report();
}

function createReplay(changes: readonly SettingChanges[]) {
  let state = initialState("");
  let settings: Settings | null = null;
  let shadows: Shadow[] = [];
  let tally: Pick<Course, "changing" | "commits" | "boxes_ticked"> = { changing: 0, commits: 0, boxes_ticked: 0 };
  let end: RunEnd | null = null;
  let isOver = false;
  let last: RalphEvent | null = null;
  /** Before the newest call: what it led to is no longer exact if it had been ended at another time. */
  let beforeCall: { state: State; at: string } | null = null;
  /** The decision to end the run, which some events may follow before its end is recorded. */
  let closing: Omit<Point, "to"> | null = null;
  let isDropped = false;
  let runsGatesFirst = false;
  /** The first gate after the newest answer. */
  let firstGate: RalphEvent | null = null;

  return { take, report };

  function take(event: RalphEvent): void {
    if (isOver) return;
    isOver = event.type === "run_recovered" && isRunOver(event);
    if (isOver) return;
    if (settings === null) {
      if (event.type === "run_started") begin(event);
      return;
    }
    before(event, settings);
    isOver = isRunOver(event);
    const previous = state;
    state = reduce(state, event);
    for (const shadow of shadows) if (changesBreaker(event)) shadow.breaker = breakerAfter(shadow, previous, event);
    last = event;
  }

  function begin(event: EventOf<"run_started">): void {
    state = reduce(state, event);
    last = event;
    const own = recordedSettings(event.settings);
    settings = own;
    shadows = changes.map((change) => ({
      ...withChanges(own, change),
      breaker: state.breaker,
      wakes: null,
      settled: null,
    }));
    for (const shadow of shadows) {
      startBreaker(shadow, event);
      if (reaches(shadow, "questions") && state.inbox.open.some(({ parked }) => parked))
        diverge(shadow, event, "start", "Earlier runs had set tasks aside, which this run began with.");
    }
  }

  /** The breaker at the start, where an earlier run left it open. */
  function startBreaker(shadow: Shadow, event: EventOf<"run_started">): void {
    if (!reaches(shadow, "start")) return;
    const { CB_COOLDOWN_MINUTES: cooldownMinutes, CB_AUTO_RESET: autoReset } = shadow.settings;
    shadow.breaker = breakerAtStart(state.breaker, { cooldownMinutes, autoReset }, Date.parse(event.at));
    const row = state.breaker_history.at(-1);
    const hadOpened = row?.from_state === "OPEN" && Math.abs(Date.parse(row.timestamp) - Date.parse(event.at)) < 1000;
    if (state.breaker.state !== "open" && hadOpened)
      diverge(
        shadow,
        event,
        "start",
        "The circuit breaker was open before this run; how it opened is in an earlier one.",
      );
  }

  /** All that depends on settings, before the event that shows how it came out. */
  function before(event: RalphEvent, own: Settings): void {
    wake(event, own);
    if (event.type !== "note" && !isClosing(event)) closing = null;
    switch (event.type) {
      case "gate_frozen":
        reached(event, "checks", "checks");
        reached(event, "gates", "gates");
        break;
      case "gate_started":
        reached(event, "checks", "checks");
        reached(event, "gates", "gates");
        if (state.open === null && state.call === null && !runsGatesFirst) gatesCameFirst(event, own);
        runsGatesFirst = state.open === null && state.call === null;
        firstGate ??= event;
        break;
      case "wait_started":
        decided(pointAt(event), own, (step) => step.do === "wait" && step.why === event.why);
        break;
      case "look_started":
        beforeCall = { state, at: last?.at ?? event.at };
        reached(event, "looks", "look");
        decided(pointAt(event), own, (step) => step.do === "look");
        break;
      case "review_started":
        beforeCall = { state, at: last?.at ?? event.at };
        reviewed(event, own);
        break;
      case "reset":
        if (!DROPS.has(event.reason)) break;
        decided(pointAt(event), own, (step) => step.do === "run" && step.drops === event.reason);
        isDropped = true;
        break;
      case "iteration_started":
        if (!isDropped)
          decided(
            pointAt(event),
            own,
            (step) => step.do === "run" && step.number === event.number && step.call === event.call,
          );
        isDropped = false;
        beforeCall = { state, at: last?.at ?? event.at };
        reached(event, "agent", "agent");
        told(event, own);
        break;
      case "question_asked":
        if (event.kind !== "denied") reached(event, "questions", "question");
        break;
      case "agent_finished":
        firstGate = null;
        timed(event, own);
        break;
      case "iteration_finished":
        finished(event, own);
        break;
      case "run_finished":
        ended(event, own);
        break;
    }
    if (isClosing(event)) closing ??= pointAt(event);
  }

  function pointAt(event: RalphEvent): Point {
    const from = Date.parse(last?.at ?? event.at);
    const others = new Map(unsettled().map((shadow) => [shadow, under(shadow)]));
    return { own: state, others, from, to: Date.parse(event.at), event };
  }

  /** The present state with what other settings make of it. */
  function under(shadow: Shadow): State {
    const { settings: other, breaker } = shadow;
    // Without looks an earlier run's work that nobody looked at is not in the record.
    const looks = wantsNewLooks(shadow) ? { ...state.looks, changed: true } : state.looks;
    return { ...state, settings: { ...state.settings, ...other }, breaker, looks };
  }

  function wantsNewLooks({ settings: other }: Shadow): boolean {
    return settings?.REVIEW_ON_DONE === 0 && other.REVIEW_ON_DONE > 0;
  }

  function unsettled(): Shadow[] {
    return shadows.filter(({ settled }) => settled === null);
  }

  /** Compares the step that was taken with those under other settings. */
  function decided(point: Point, own: Settings, isRecorded: (step: LoopStep) => boolean): void {
    runsGatesFirst = false;
    reached(point.event, "checks", "checks");
    const found = recordedStep(point, own, isRecorded);
    if (found === null) {
      breakOff(point.event);
      return;
    }
    for (const [shadow, other] of point.others) {
      if (shadow.settled !== null) continue;
      if (reaches(shadow, "day") && own.MAX_COST_PER_DAY === null && shadow.settings.MAX_COST_PER_DAY !== null) {
        const unknown = "What all runs of that day cost is not in the record.";
        diverge(shadow, point.event, "spending_of_the_day", unknown);
        continue;
      }
      if (gatesFirst(other, shadow.settings) && !gatesFirst(point.own, own)) {
        diverge(shadow, point.event, "gates", "The gates would have run here.");
        continue;
      }
      const step = stepAt(other, shadow.settings, found.at, found.looks || wantsNewLooks(shadow));
      compare(shadow, point, found.step, step);
      if (shadow.settled !== null || step.do !== "run") continue;
      if (reviewDue(other, shadow.settings) && !reviewDue(point.own, own))
        diverge(shadow, point.event, "review", "A review would have come here.");
    }
  }

  /**
   * The recorded step, decided again. It was made between two events, nearly always right after the first; a bound in time may
   * have been reached in between. Without anybody who could look, none of the looks that are due come.
   */
  function recordedStep({ own: before, from, to }: Point, own: Settings, isRecorded: (step: LoopStep) => boolean) {
    for (const looks of [true, false])
      for (const at of [from, to]) {
        const step = stepAt(before, own, at, looks);
        if (isRecorded(step)) return { step, at, looks };
      }
    return null;
  }

  function compare(shadow: Shadow, { event, own: before }: Point, own: LoopStep, other: LoopStep): void {
    if (other.do === "stop") {
      if (own.do !== "stop" || own.reason !== other.reason) endsAt(shadow, event, other, before);
      return;
    }
    if (own.do === "wait" && other.do === "wait" && other.until !== own.until) shadow.wakes = other.until;
    const difference = stepDifference(own, other);
    if (difference === null) return;
    if (own.do === "stop" && other.do !== "look")
      settle(shadow, "goes_on", { ...placeOf(event), ...difference, rule: own.reason }, courseOf(before));
    else diverge(shadow, event, difference.rule, difference.sentence, before);
  }

  /** The end of a wait, where other settings wait less or more. */
  function wake(event: RalphEvent, own: Settings): void {
    for (const shadow of unsettled()) {
      if (shadow.wakes === null) continue;
      const now = Date.parse(event.at);
      if (now >= shadow.wakes) {
        const step = stepAt(under(shadow), shadow.settings, shadow.wakes, true);
        const at = new Date(shadow.wakes).toISOString();
        if (step.do === "stop") endsAt(shadow, event, step, state, at);
        else diverge(shadow, event, "wait", `The wait would have ended earlier, at ${at}.`);
      } else if (event.type === "wait_ended")
        compare(
          shadow,
          pointAt(event),
          stepAt(state, own, now, true),
          stepAt(under(shadow), shadow.settings, now, true),
        );
      if (event.type === "wait_ended") shadow.wakes = null;
    }
  }

  function gatesCameFirst(event: RalphEvent, own: Settings): void {
    const point = pointAt(event);
    for (const [shadow, other] of point.others) {
      if (shadow.settled !== null || gatesFirst(other, shadow.settings) === gatesFirst(state, own)) continue;
      const step = stepAt(other, shadow.settings, point.from, true);
      if (step.do === "stop") endsAt(shadow, event, step, state);
      else diverge(shadow, event, "gates", "The gates would not have run here.");
    }
  }

  function reviewed(event: RalphEvent, own: Settings): void {
    decided(pointAt(event), own, (step) => step.do === "run");
    for (const shadow of unsettled())
      if (!reviewDue(under(shadow), shadow.settings))
        diverge(shadow, event, "review", "No review would have come here.");
  }

  /** What the agent is told beside the prompt: the circuit breaker stands in it, and what keeps "done" from counting. */
  function told(event: EventOf<"iteration_started">, own: Settings): void {
    const about = { number: event.number, plan: planKnown(event), resumed: event.resume !== null };
    const words = JSON.stringify(workWords(state, own, about));
    for (const shadow of unsettled())
      if (JSON.stringify(workWords(under(shadow), shadow.settings, about)) !== words)
        diverge(shadow, event, "prompt", `The agent would have been told something else in iteration ${event.number}.`);
  }

  function timed(event: EventOf<"agent_finished">, own: Settings): void {
    const begin = beforeCall ?? { state, at: event.at };
    const call = { end: event, state: begin.state, at: Date.parse(begin.at) };
    for (const shadow of unsettled()) {
      const sentence = limitedCall(call, own, shadow.settings);
      if (sentence === null) continue;
      const divergence = { ...placeOf(event), rule: "call_time" as const, sentence };
      settle(shadow, "diverges", divergence, courseOf(begin.state, begin.at));
    }
  }

  function finished(event: EventOf<"iteration_finished">, own: Settings): void {
    const { analysis, evidence, outcome } = event;
    const gates = gatesAfter(state, event, own);
    const wereJudged = gates.due && state.stop_requested?.how !== "now";
    const facts = {
      outcome,
      call: state.last_call?.outcome ?? "ok",
      error: state.last_call?.error ?? null,
      analysis,
      evidence,
      trend: state.trend,
      gates: wereJudged ? state.gates : [],
      trees: state.trees,
    };
    const step = (breaker: CircuitBreaker, thresholds: Settings) =>
      stepBreaker(breaker, breakerInput({ ...facts, settings: thresholds }), {
        thresholds,
        number: event.iteration,
        now: Date.parse(event.at),
      });
    if (comparable(step(state.breaker, own)) !== comparable(event.breaker)) breakOff(event);
    for (const shadow of unsettled()) {
      const other = gatesAfter(under(shadow), event, shadow.settings);
      if (other.due !== gates.due || (gates.due && other.decide !== gates.decide)) {
        const sentence =
          other.due && gates.due
            ? `The gates of iteration ${event.iteration} would have been judged in another way.`
            : `The gates would ${other.due ? "" : "not "}have run after iteration ${event.iteration}.`;
        diverge(shadow, firstGate ?? event, "gates", sentence);
      } else shadow.breaker = step(shadow.breaker, shadow.settings);
    }
    tally = {
      changing: tally.changing + (evidence.progress ? 1 : 0),
      commits: tally.commits + evidence.commits.length,
      boxes_ticked: tally.boxes_ticked + Math.max(0, evidence.plan_delta),
    };
  }

  function ended(event: EventOf<"run_finished">, own: Settings): void {
    const point = { ...(closing ?? pointAt(event)), to: Date.parse(event.at) };
    if (!OUTSIDE.has(event.stop_reason))
      decided(point, own, (step) => step.do === "stop" && step.reason === event.stop_reason);
    const { stop_reason, exit_code, sentence } = event;
    end = { stop_reason, exit_code, sentence };
  }

  function isClosing(event: RalphEvent): boolean {
    if (event.type === "iteration_interrupted") return isInterruptedByEnd(event.why);
    return event.type === "run_finished" || (event.type === "reset" && isClosingReset(event.reason));
  }

  function changesBreaker({ type }: RalphEvent): boolean {
    return type === "reset" || type === "gap_named" || type === "question_asked";
  }

  function breakerAfter({ breaker }: Shadow, previous: State, event: RalphEvent): CircuitBreaker {
    return reduce({ ...previous, breaker }, event).breaker;
  }

  /** Whether a change of settings acts there at all. */
  function reached(event: RalphEvent, reach: SettingReach, rule: keyof typeof REACH_WORDS): void {
    for (const shadow of unsettled()) {
      const names = changedIn(shadow, reach);
      if (names.length > 0) diverge(shadow, event, rule, `${names.join(" and ")} ${REACH_WORDS[rule]}`);
    }
  }

  function reaches(shadow: Shadow, reach: SettingReach): boolean {
    return changedIn(shadow, reach).length > 0;
  }

  function changedIn({ changed }: Shadow, reach: SettingReach): SettingName[] {
    return changed.flatMap(({ setting }) => (SETTING_REACH[setting] === reach ? [setting] : []));
  }

  function endsAt(
    shadow: Shadow,
    event: RalphEvent,
    { reason, sentence }: Extract<LoopStep, { do: "stop" }>,
    at: State,
    when = last?.at,
  ): void {
    const exit_code = STOP_REASONS[reason].exit;
    const divergence = { ...placeOf(event), rule: reason, sentence };
    settle(shadow, "ends", divergence, courseOf(closed(at, event), when), { stop_reason: reason, exit_code, sentence });
  }

  function diverge(shadow: Shadow, event: RalphEvent, rule: Divergence["rule"], sentence: string, at = state): void {
    settle(shadow, "diverges", { ...placeOf(event), rule, sentence }, courseOf(at));
  }

  function breakOff(event: RalphEvent): void {
    const sentence = `This version of ralph decides otherwise here than version ${state.version}, which made the run.`;
    for (const shadow of unsettled())
      settle(shadow, "unknown", { ...placeOf(event), rule: "version", sentence }, courseOf(state));
  }

  function settle(
    shadow: Shadow,
    result: WhatIf["result"],
    divergence: Divergence | null,
    course: Course,
    endOfIt: RunEnd | null = null,
  ): void {
    shadow.settled ??= { result, divergence, end: endOfIt, course };
  }

  function placeOf(event: RalphEvent): Pick<Divergence, "seq" | "at" | "iteration"> {
    return { seq: event.seq, at: event.at, iteration: event.iteration === 0 ? state.iteration : event.iteration };
  }

  /** The state with its open iteration counted, as the end of a run does. */
  function closed(at: State, { seq, at: when, run, v, iteration }: RalphEvent): State {
    if (at.open === null) return at;
    const interrupted = { type: "iteration_interrupted", number: at.open.number, why: "" } as const;
    return reduce(at, { v, seq, at: when, run, iteration, ...interrupted });
  }

  function courseOf({ iterations, calls, usage, started_at }: State, until = last?.at ?? started_at): Course {
    return {
      iterations,
      calls,
      cost_usd: usage.cost_usd,
      estimated_usd: usage.estimated_usd ?? null,
      tokens: totalTokens(usage),
      ms: Math.max(0, Date.parse(until) - Date.parse(started_at)),
      ...tally,
    };
  }

  function report(): WhatIfReport | null {
    if (settings === null || last === null) return null;
    const course = courseOf(state);
    const broken = { ...placeOf(last), rule: "record" as const, sentence: "The record breaks off here." };
    return {
      run: state.run,
      started_by: state.started_by,
      recorded: { ...course, end },
      what_if: shadows.map(({ settled, changed }) => {
        const result = settled ?? {
          result: end === null ? ("goes_on" as const) : ("same" as const),
          divergence: end === null ? broken : null,
          end,
          course,
        };
        return { ...result, changed: [...changed], rest: after(result.course, course) };
      }),
    };
  }
}

/** A breaker without the time at which it opened, which lies a moment before that of its event. */
function comparable(breaker: CircuitBreaker): string {
  const { since, ...rest } = { since: 0, ...breaker };
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
}
