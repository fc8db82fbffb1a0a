import { countRejectedClaims, noRejectedClaims } from "../decide/completion.ts";
import { countSignals, noSignals } from "../decide/completion-signals.ts";
import { gateRecord, openGaps, withGate } from "../decide/gate-rules.ts";
import { nearWaits } from "../decide/near-waits.ts";
import { noReview, reviewAfter } from "../decide/review-state.ts";
import {
  chargeSession,
  KEEPS_CLAIMS,
  rememberIteration,
  resetSession,
  takeSession,
  touchSession,
} from "../decide/session.ts";
import { recordTree, treeHistoryAtStart } from "../decide/tree-history.ts";
import { acceptGates, recordGate, recordWeakened, trustAfterAnswer } from "../gates/gate-trust.ts";
import { landAfter } from "../land/land-state.ts";
import {
  addGap,
  countCall,
  looksAfterBreak,
  looksAfterIteration,
  looksAfterLook,
  withGap,
} from "../look/look-state.ts";
import { addPace } from "../money/forecast.ts";
import {
  aboutTask,
  addQuestion,
  afterAnswer,
  afterRun,
  afterIteration as afterWork,
  withAnswer,
  withoutQuestion,
} from "../needs/questions.ts";
import { markSent, pendingMessages, requeueMessages } from "../prompt/user-messages.ts";
import { afterGitStep } from "../publish/git-step.ts";
import { appendTransition } from "../stop/breaker-history.ts";
import { charge, refund } from "../stop/budget.ts";
import { closedBreaker } from "../stop/circuit-breaker.ts";
import { failuresAfter, isOutage, updateFailures } from "../stop/failure-backoff.ts";
import { stepHeadway } from "../stop/headway.ts";
import { applyLimitNotice, type LimitState } from "../stop/usage-limit.ts";
import { clipCodePoints } from "../text/truncate.ts";
import type { EventOf, RalphEvent, RareEvent, WaitReason } from "./event.ts";
import { withoutTool, withTool } from "./open-tools.ts";
import { pickProcessIdentity } from "./process-identity.ts";
import { isRunOver } from "./run-over.ts";
import { initialState, type OpenCall, type State, type TaskAtWork, type TrendRow } from "./state.ts";
import { upgradeState } from "./upgrade-state.ts";
import { addUsage, freshTokens, noUsage, totalTokens } from "./usage.ts";

const TREND_ROWS = 10;
const LAST_OUTPUT_CHARS = 80;

/** Folds an event into the state. It never throws; unknown events are counted. */
export function reduce(state: State, event: RalphEvent): State {
  const next = apply(state, event);
  // A run starts with the snapshot's breaker, which is no transition.
  const from = event.type === "run_started" ? next.breaker : state.breaker;
  const breaker_history = appendTransition(next.breaker_history, from, next.breaker, event.at, event.iteration);
  const mine = { breaker_history, seq: event.seq, updated_at: event.at };
  // Copying all of it twice is a tenth of what an event costs.
  return next === state ? { ...state, ...mine } : Object.assign(next, mine);
}

/**
 * What an agent says and does is nearly all of a journal. It has a function of its own because a flood compiles what it runs: that of all
 * cases took the compiler 60 to 120 ms (of 5 s for 200,000 events, measured).
 */
function apply(state: State, event: RalphEvent): State {
  switch (event.type) {
    case "agent_text":
      // Text of the model means that it has its tool results; text of a nested agent does not.
      return { ...state, last_output: tailOf(event.text), tools: event.nested === true ? state.tools : [] };
    case "agent_tool_started":
      return {
        ...state,
        last_output: event.tool === "Other" ? event.name : event.tool,
        tools: withTool(state.tools, event),
        call: state.call === null || state.call.used_tools === true ? state.call : { ...state.call, used_tools: true },
      };
    case "agent_tool_finished":
      return { ...state, tools: withoutTool(state.tools, event.tool_use_id) };
    default:
      return applyRare(state, event);
  }
}

function applyRare(state: State, event: RareEvent): State {
  const at = Date.parse(event.at);
  switch (event.type) {
    case "run_started":
      return {
        ...initialState(event.project),
        ...upgradeState(event.state),
        run: event.run,
        project: event.project,
        version: event.version,
        driver: event.driver,
        display_name: event.display_name ?? event.driver,
        started_by: event.started_by,
        task: event.task ?? null,
        words: event.words ?? [],
        pid: event.pid,
        started_at: event.at,
        settings: event.settings,
        last_action: "started",
      };
    case "iteration_started":
      return {
        ...reserveCall(state, at, { purpose: "main", call: event.call, iteration: event.number }),
        iteration: event.number,
        home: event.branch ?? state.home,
        // A call that is repeated may have ticked boxes before its limit: they are this iteration's.
        plan: state.open?.number === event.number ? state.plan : event.plan,
        trees: treeHistoryAtStart(state.trees, event.snapshot),
        said: markSent(state.said, event.number),
        tools: [],
        limit: withoutWait(state.limit),
        open: {
          number: event.number,
          call: event.call,
          started_at: state.open?.number === event.number ? state.open.started_at : event.at,
          usage: state.open?.number === event.number ? state.open.usage : noUsage(),
        },
        last_action: executing(state),
      };
    case "agent_started":
      return {
        ...state,
        call: {
          // A trial of an agent has no reserving event, so it begins here.
          ...(state.call ?? { purpose: event.purpose, call: event.call, iteration: event.iteration }),
          agent: pickProcessIdentity(event),
          spent_before: state.usage,
          ...(event.usage_from === undefined ? {} : { usage_from: event.usage_from }),
        },
      };
    case "agent_usage": {
      const tokens = freshTokens(event);
      return {
        ...state,
        usage: addUsage(state.usage, event),
        task_usage: addUsage(state.task_usage, event),
        session: isWork(state.call) ? chargeSession(state.session, event) : state.session,
        budget: charge(state.budget, at, { calls: 0, tokens }),
        open: state.open === null ? null : { ...state.open, usage: addUsage(state.open.usage, event) },
      };
    }
    case "agent_session":
      // Side calls have a conversation of their own.
      if (!isWork(state.call)) return state;
      return { ...state, session: touchSession(state.session, event.session_id, state.driver, event.at) };
    case "agent_limit":
      // Any other side call's limit is ignored: the next main call meets it too.
      if (!isWork(state.call) && !isOwnLook(state)) return state;
      return { ...state, limit: applyLimitNotice(state.limit, event, at, `${event.run}/${event.seq}`) };
    case "agent_finished":
      return isWork(state.call) ? afterCall(state, event) : afterSideCall(state, event);
    case "iteration_finished":
      return afterIteration(state, event);
    case "iteration_interrupted":
      return {
        ...state,
        open: null,
        call: null,
        tools: [],
        said: requeueMessages(state.said),
        looks: looksAfterBreak(state.looks),
        plan: event.plan ?? state.plan,
        // One that only met a limit counts as none (product.md "Limited").
        iterations: state.iterations + (state.limit !== null && state.limit.until !== null ? 0 : 1),
        last_action: "interrupted",
      };
    case "stop_requested":
      return { ...state, stop_requested: { how: event.how, by: event.by }, last_action: "stopping" };
    case "stop_withdrawn":
      return {
        ...state,
        stop_requested: null,
        last_action: state.open === null ? state.last_action : executing(state),
      };
    case "said":
      return { ...afresh(state), said: [...state.said, { at: event.at, text: event.text, used_in: null }] };
    case "question_asked":
      return afterQuestion(state, event);
    case "question_answered":
      return {
        ...afresh(state),
        said: withAnswer(state.said, state.inbox, event),
        inbox: afterAnswer(state.inbox, event.number),
      };
    case "questions_dropped":
      return { ...state, inbox: event.numbers.reduce(withoutQuestion, state.inbox) };
    case "answer_passed_on":
      return { ...state, said: state.said.filter(({ text }) => !text.includes(aboutTask(event.text))) };
    case "said_passed_on":
      return { ...state, said: state.said.filter(({ text }) => text !== event.text) };
    case "paused":
      return { ...state, paused: true };
    case "resumed":
      return { ...state, paused: false };
    case "bound_raised":
      return { ...state, more_iterations: state.more_iterations + event.iterations };
    case "wait_started":
      return {
        // As it was decided: else what was too far away would be waited for again and again.
        ...nearWaits(state, at),
        wait: { until: event.until, why: event.why, message: event.message },
        last_action: waitAction(event.why),
      };
    case "wait_ended":
      return { ...state, wait: null };
    case "reset":
      return {
        ...state,
        ...(event.what === "session" ? {} : { breaker: closedBreaker() }),
        ...(event.what === "circuit"
          ? {}
          : {
              ...resetSession(state.session_history, event.at, event.reason, state.iteration),
              ...(KEEPS_CLAIMS.has(event.reason) ? {} : { signals: noSignals(), held: noRejectedClaims() }),
            }),
      };
    case "run_finished":
      return {
        ...state,
        open: null,
        call: null,
        wait: null,
        gate: null,
        tools: [],
        inbox: afterRun(state.inbox, event, state.settings),
        finished: {
          reason: event.stop_reason,
          exit_code: event.exit_code,
          sentence: event.sentence,
          at: event.at,
          ...(event.proof === undefined ? {} : { proof: event.proof }),
        },
      };
    case "gate_started":
      return { ...state, gate: { command: event.command, process: pickProcessIdentity(event) } };
    case "gate_finished":
      return {
        ...state,
        gate: null,
        gates: withGate(state.gates, withGap(gateRecord(event), state.looks)),
        gate_trust: recordGate(state.gate_trust, event),
      };
    case "gate_frozen": {
      const { run, digest, files } = event;
      return { ...state, gate_trust: { ...state.gate_trust, frozen: { run, digest, files } } };
    }
    case "gap_checked":
    case "gate_probed":
      return { ...state, gate: null };
    case "gate_weakened":
      return {
        ...state,
        gates: state.gates.map((gate) =>
          event.commands.includes(gate.command) ? { ...gate, ok: false, weakened: true } : gate,
        ),
        gate_trust: recordWeakened(state.gate_trust, event),
      };
    case "done_unchecked":
      return { ...state, gate_trust: { ...state.gate_trust, check: event.check } };
    case "gate_restored":
      return { ...state, gate_trust: { ...state.gate_trust, weakened: null, claims: 0 } };
    case "gate_accepted":
      return { ...state, gate_trust: acceptGates(state.gate_trust) };
    case "look_started":
      return {
        ...reserveCall(state, at, {
          purpose: "look",
          driver: event.driver,
          call: event.call,
          iteration: event.number,
        }),
        limit: withoutWait(state.limit),
        last_action: executing(state, "reviewing"),
      };
    case "gap_named": {
      const { command, why, exit_code, output } = event;
      const gate = { command, ok: false, exit_code, timed_out: false, tail: output, gap: why };
      // Without the gap the run would have ended as done, whatever the breaker; now there is something new to do.
      const breaker = state.breaker.state === "open" ? closedBreaker() : state.breaker;
      return { ...state, breaker, looks: addGap(state.looks, event), gates: withGate(state.gates, gate) };
    }
    case "look_finished":
      return { ...state, call: null, looks: looksAfterLook(state.looks, event) };
    case "review_started":
      return {
        ...reserveCall(state, at, { purpose: "review", call: event.call, iteration: event.number }),
        review: { ...noReview(), iteration: event.number, findings: state.review.findings },
        last_action: executing(state, "reviewing"),
      };
    case "import_started": {
      const purpose = event.missing.length === 0 ? "import" : "repair";
      return {
        ...reserveCall(state, at, { purpose, call: event.call, iteration: 0 }),
        last_action: "importing",
      };
    }
    case "review_finished":
      return {
        ...state,
        call: null,
        review: { ...state.review, findings: event.findings ?? state.review.findings },
      };
    case "checkpoint_made":
      return { ...state, checkpoint: { name: event.name, left_out: event.left_out, fault: null } };
    case "checkpoint_missed":
      return { ...state, checkpoint: { name: event.name, left_out: 0, fault: event.why } };
    case "task_claimed":
      return afterClaim(state, event);
    case "task_released":
      return afterRelease(state, event);
    case "git_step": {
      const { number, call } = event;
      const publish = afterGitStep(state.publish, event);
      if (number === undefined || call === undefined) return { ...state, publish, last: withHead(state.last, event) };
      return { ...reserveCall(state, at, { purpose: "rebase", call, iteration: number }), publish };
    }
    case "forecast_made": {
      const { tasks_left, from_tasks, usd, ms } = event;
      return { ...state, forecast: { tasks_left, from_tasks, usd, ms } };
    }
    case "land_stacked":
    case "land_tested":
    case "landing":
    case "landed":
    case "land_returned":
      return { ...state, land: landAfter(state.land, event), last_action: "landing" };
    case "day_spent":
      return { ...state, day_spent: { day: event.day, usd: event.usd } };
    case "run_recovered":
      if (!isRunOver(event) || state.run === "" || state.finished !== null || state.broke_off_at !== null) return state;
      return { ...state, broke_off_at: state.updated_at };
    case "agent_retry":
    case "undone":
    case "land_held":
    case "note":
      return state;
    default:
      return countUnknown(state, event);
  }
}

function afterClaim(state: State, { at, task, text, worker, branch, session, used }: EventOf<"task_claimed">): State {
  const others = state.tasks_at_work.filter((one) => one.task !== task);
  return {
    ...state,
    tasks_at_work: [...others, { task, text, worker, branch, since: at }],
    session: session === null ? state.session : takeSession(state.session, session, state.driver, at, used),
  };
}

function afterRelease(state: State, { task, worker, spent }: EventOf<"task_released">): State {
  const isOther = (one: TaskAtWork) => one.task !== task || one.worker !== worker;
  const tasks_at_work = state.tasks_at_work.filter(isOther);
  const left_at_work = state.left_at_work.filter(isOther);
  if (spent === undefined) return { ...state, tasks_at_work, left_at_work };
  return {
    ...state,
    tasks_at_work,
    left_at_work,
    iterations: state.iterations + spent.iterations,
    calls: state.calls + spent.calls,
    usage: addUsage(state.usage, spent.usage),
  };
}

/** A newer version of ralph may have written event types that this one does not know. */
function countUnknown(state: State, event: never): State {
  const type = String((event as { type?: unknown }).type);
  return { ...state, unknown: { ...state.unknown, [type]: (state.unknown[type] ?? 0) + 1 } };
}

/** Counts a call before the agent starts. A crash in between then cannot lose it. */
function reserveCall(state: State, at: number, call: Omit<OpenCall, "agent">): State {
  return {
    ...state,
    calls: state.calls + 1,
    budget: charge(state.budget, at, { calls: 1, tokens: 0 }),
    call: { ...call, agent: null },
    looks: countCall(state.looks, call),
  };
}

/** A limited call counts against no bound (product.md "Limited"). */
function refundCall(state: State): State {
  return { ...state, calls: state.calls - 1, budget: refund(state.budget) };
}

/** The limit once its wait is over: a call begins, which meets it again or not. */
function withoutWait(limit: LimitState | null): LimitState | null {
  return limit === null ? null : { ...limit, until: null };
}

/** Whether a call works on the plan. Only such a call affects the run's session and failures. */
function isWork(call: OpenCall | null): boolean {
  return call === null || call.purpose === "main";
}

/** A look by the run's own agent meets the limit that the work would meet, and no work may follow it. */
function isOwnLook({ call, driver }: State): boolean {
  return call?.purpose === "look" && call.driver === driver;
}

/**
 * Of any other call only the call itself and its usage count, and of a look by the run's own agent its limit. A review and a look end
 * with events of their own.
 */
function afterSideCall(state: State, event: EventOf<"agent_finished">): State {
  const { call } = state;
  const goesOn = call?.purpose === "review" || call?.purpose === "look";
  const limit = isOwnLook(state) && event.repeat !== "limit" ? null : state.limit;
  const ended = { ...state, limit, tools: [], call: goesOn ? { ...call, agent: null } : null };
  return event.repeat === "limit" ? refundCall(ended) : ended;
}

function afterCall(state: State, event: EventOf<"agent_finished">): State {
  const { outcome, exit_code, ok, error, ms } = event;
  const ended = {
    ...state,
    // The gates' results belong to the previous answer; a gap is one until its command is green.
    gates: event.repeat === null ? openGaps(state.gates) : state.gates,
    tools: [],
    last_call: { outcome, exit_code, ok, error, ms },
    failures: updateFailures(state.failures, {
      ok,
      error,
      at: Date.parse(event.at),
      limited: event.repeat !== null,
    }),
    limit: event.repeat === "limit" || (!ok && error?.class === "limit") ? state.limit : null,
    call: state.call === null ? null : { ...state.call, agent: null },
  };
  if (event.repeat !== "limit") return ended;
  return { ...refundCall(ended), last_action: "api_limit" };
}

function afterIteration(state: State, event: EventOf<"iteration_finished">): State {
  const { analysis, evidence, outcome, verdict, usage, ms } = event;
  const number = event.iteration;
  const answered = outcome !== "failed";
  const waitedOut = isWaitedOut(state, event);
  const facts = { plan: evidence.plan, gates: state.gates, redTests: analysis.tests_status === "FAILING" };
  const row: TrendRow = {
    number,
    output_length: analysis.output_length,
    progress: evidence.progress,
    test_only: analysis.is_test_only,
    errors: event.breaker.fingerprint,
    tree: evidence.fingerprint,
  };
  return {
    ...state,
    open: null,
    call: null,
    iterations: state.iterations + (waitedOut ? 0 : 1),
    work_ms: state.work_ms + ms,
    ...taskProgress(state, evidence.plan_delta, ms),
    breaker: event.breaker,
    session: rememberIteration(state.session, usage),
    failures: failuresAfter(state.failures, evidence, waitedOut),
    signals: answered ? countSignals(state.signals, number, analysis) : state.signals,
    held: answered ? countRejectedClaims(state.held, analysis, facts, evidence) : state.held,
    trend: answered ? [...state.trend, row].slice(-TREND_ROWS) : state.trend,
    trees: recordTree(state.trees, evidence).history,
    gate_trust: answered ? trustAfterAnswer(state.gate_trust, state.gates) : state.gate_trust,
    review: reviewAfter(state.review, { evidence, answered }),
    looks: looksAfterIteration(state.looks, evidence),
    last: { number, at: event.at, outcome, analysis, evidence, verdict, usage, ms },
    plan: evidence.plan,
    taken_off: evidence.plan_taken_off ?? [],
    cut_off: false,
    said: answered ? pendingMessages(state.said) : requeueMessages(state.said),
    headway: answered ? stepHeadway(state.headway, { analysis, evidence, gates: state.gates }) : state.headway,
    inbox: answered ? afterWork(state.inbox, event, state.settings) : state.inbox,
    blocked: answered ? blockedInARow(state.blocked, event) : state.blocked,
    last_action: analysis.has_permission_denials ? "permission_denied" : answered ? "completed" : "failed",
  };
}

/** A call that met an outage and did nothing is waited out without end: a night of them must not use up MAX_ITERATIONS. */
function isWaitedOut(
  { failures, last_call, call }: State,
  { outcome, evidence, usage }: EventOf<"iteration_finished">,
): boolean {
  const isNewest = outcome === "failed" && last_call?.error?.class === failures.class;
  const didNothing = !evidence.progress && totalTokens(usage) === 0;
  return isNewest && didNothing && isOutage(failures) && (failures.class === "offline" || call?.used_tools !== true);
}

/** To set a task aside is a step of its own: it counts neither as idle nor as blocked. */
function afterQuestion(state: State, event: EventOf<"question_asked">): State {
  const asked = { ...state, inbox: addQuestion(state.inbox, event) };
  return event.parked ? afresh(asked) : asked;
}

/** What was idle or blocked shows nothing about what comes next: another task, or one about which a person said something new. */
function afresh(state: State): State {
  const { breaker, headway } = state;
  return {
    ...state,
    breaker: { ...breaker, no_progress: 0 },
    headway: { ...headway, bare: 0, same: 0, idle: 0, quiet: 0 },
    blocked: 0,
  };
}

/** What the task at hand took so far; with boxes ticked, what they took, and the next task begins. */
function taskProgress(
  { task_usage, task_ms, paces }: State,
  boxes: number,
  ms: number,
): Pick<State, "task_usage" | "task_ms" | "paces"> {
  if (boxes <= 0) return { task_usage, task_ms: task_ms + ms, paces };
  const isKnown = task_usage.cost_usd !== null || task_usage.estimated_usd !== undefined;
  const usd = isKnown ? (task_usage.cost_usd ?? 0) + (task_usage.estimated_usd ?? 0) : null;
  return { task_usage: noUsage(), task_ms: 0, paces: addPace(paces, { usd, ms: task_ms + ms, boxes }) };
}

/** A commit or rebase of the run's own comes after the iteration: HEAD is what it left. */
function withHead(last: State["last"], { step, result, commit }: EventOf<"git_step">): State["last"] {
  if (last === null || commit === undefined || result !== "done" || !(step === "commit" || step === "rebase"))
    return last;
  return { ...last, evidence: { ...last.evidence, head: commit } };
}

/** A denial stays the last action until an answer comes without one: other programs look for it now and then. */
function executing({ last }: State, action = "executing"): string {
  return last?.analysis.has_permission_denials === true ? "permission_denied" : action;
}

function blockedInARow(before: number, { analysis, evidence }: EventOf<"iteration_finished">): number {
  return analysis.status === "BLOCKED" && !evidence.progress ? before + 1 : 0;
}

function waitAction(why: WaitReason): string {
  if (why === "usage_limit" || why === "rate_limit") return "api_limit";
  return why === "failure" || why === "offline" ? "failed" : `waiting_${why}`;
}

function tailOf(text: string): string {
  const said = text.trimEnd();
  const begin = said.lastIndexOf("\n") + 1;
  return clipCodePoints(said.slice(begin, begin + 2 * LAST_OUTPUT_CHARS), LAST_OUTPUT_CHARS);
}
