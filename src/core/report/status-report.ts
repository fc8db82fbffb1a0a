import type { Proof } from "../decide/proof.ts";
import { flakeCount } from "../gates/gate-trust.ts";
import type { WaitReason } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import { type Forecast, forecastOf } from "../money/forecast.ts";
import { type Need, needsOf } from "../needs/needs.ts";
import type { PlanReport } from "../plan/fix-plan.ts";
import { breakerJson } from "../state-files/breaker-file.ts";
import { spentInHour } from "../stop/budget.ts";
import { tightestLimits } from "../stop/limit-headroom.ts";
import { STOP_REASONS } from "../stop/stop-reasons.ts";
import type { LimitHeadroom } from "../stop/stop-rule.ts";

export type RunStatus = "not_started" | "running" | "blocked" | "completed" | "unknown";
export type Phase = "executing" | "pausing" | "waiting" | "paused" | "stopping" | "stopped" | "finished";

export type Denied = { iteration: number; commands: readonly string[] };

/** The document of `ralph status --json` (interfaces.md). */
export type StatusReport = {
  project: string;
  run: string | null;
  /** What started the run: `cli`, `task`, `import` … */
  started_by: string | null;
  /** The text of `ralph "TEXT"`; null for the project's prompt and plan. */
  task: string | null;
  /** The words of `ralph run` that make a later run like this one. */
  words: readonly string[];
  status: RunStatus;
  phase: Phase | null;
  stop_reason: string | null;
  /** Why it ended, for a reader; null until then. */
  sentence: string | null;
  /** What "done" rests on: `gates`, or the agent's `word` alone; null for every other end. */
  proof: Proof | null;
  /** The gates that are red, as they ran last. */
  red_gates: readonly string[];
  /** Results of gates that were red, then green on the same tree. */
  gate_flakes: number;
  iteration: number;
  driver: string | null;
  display_name: string | null;
  session_id: string | null;
  circuit: Record<string, unknown>;
  calls: { used: number; limit: number | null; resets_at: string | null };
  plan: PlanReport | null;
  tokens: number;
  tokens_by_class: { input: number; output: number; cache_write: number; cache_read: number };
  cost_usd: number | null;
  /** What calls probably cost whose agent does not tell; null for none. */
  estimated_usd: number | null;
  /** How the run will probably end, in all; null where nothing is left or too little is known. */
  forecast: Forecast | null;
  last_action: string | null;
  /** What the newest answer was denied; null for nothing. */
  denied: Denied | null;
  /** The reason for a wait, and its end. */
  wait: { why: WaitReason; until: string } | null;
  /** The provider's reset time, after a run that its limit ended; null if it stated none. */
  limit_resets_at: string | null;
  /** The limits of the run, the nearest first; empty once it is over. Times in ms, money in USD. */
  nearest_stops: LimitHeadroom[];
  /** What needs a person, the most urgent first. */
  needs: Need[];
  pid: number | null;
  started_at: string | null;
  updated_at: string | null;
};

/**
 * @param alive whether the process that holds the project's lock is this run's
 * @param now epoch ms: a past budget hour counts as unused
 */
export function statusReport(state: State, plan: PlanReport | null, alive: boolean, now: number): StatusReport {
  const started = state.run !== "";
  const limit = state.settings.MAX_CALLS_PER_HOUR;
  const { resets_at } = state.budget;
  return {
    project: state.project,
    run: started ? state.run : null,
    started_by: state.started_by === "" ? null : state.started_by,
    task: state.task,
    words: state.words,
    status: statusOf(state, { alive }),
    phase: started ? phaseOf(state, { alive }) : null,
    stop_reason: state.finished?.reason ?? null,
    sentence: state.finished?.sentence || null,
    proof: state.finished?.proof ?? null,
    red_gates: state.gates.flatMap(({ command, ok }) => (ok ? [] : [command])),
    gate_flakes: flakeCount(state.gate_trust),
    iteration: state.iteration,
    driver: state.driver === "" ? null : state.driver,
    display_name: state.display_name === "" ? null : state.display_name,
    session_id: state.session.session_id,
    circuit: breakerJson(state),
    calls: {
      used: spentInHour(state.budget, now).calls,
      limit: typeof limit === "number" ? limit : null,
      resets_at: resets_at > now ? new Date(resets_at).toISOString() : null,
    },
    plan,
    tokens: totalTokens(state.usage),
    tokens_by_class: {
      input: state.usage.input_tokens ?? 0,
      output: state.usage.output_tokens ?? 0,
      cache_write: state.usage.cache_creation_tokens ?? 0,
      cache_read: state.usage.cache_read_tokens ?? 0,
    },
    cost_usd: state.usage.cost_usd,
    estimated_usd: state.usage.estimated_usd ?? null,
    forecast: state.finished === null ? forecastOf(state) : null,
    last_action: lastAction(state),
    denied: deniedIn(state),
    wait: alive && state.wait !== null ? { why: state.wait.why, until: state.wait.until } : null,
    limit_resets_at: state.finished?.reason === "usage_limit" ? (state.limit?.resets_at ?? null) : null,
    nearest_stops: alive ? tightestLimits(state, now) : [],
    needs: needsOf(state, { alive, openTasks: plan?.next.map(({ text }) => text) ?? null }),
    pid: alive ? state.pid : null,
    started_at: started ? state.started_at : null,
    updated_at: state.updated_at === "" ? null : state.updated_at,
  };
}

/** What the newest answer was denied; null for nothing. */
export function deniedIn({ last }: Pick<State, "last">): Denied | null {
  if (last === null || !last.analysis.has_permission_denials) return null;
  return { iteration: last.number, commands: last.analysis.denied_commands };
}

/** The word of status.json. */
function lastAction({ finished, last_action }: State): string | null {
  if (finished !== null) return STOP_REASONS[finished.reason].action;
  return last_action === "" ? null : last_action;
}

function statusOf(state: State, { alive }: { alive: boolean }): RunStatus {
  if (state.run === "") return "not_started";
  if (state.finished !== null)
    return STOP_REASONS[state.finished.reason].status === "completed" ? "completed" : "blocked";
  return alive ? "running" : "unknown";
}

function phaseOf(state: State, { alive }: { alive: boolean }): Phase | null {
  if (state.finished !== null)
    return STOP_REASONS[state.finished.reason].status === "completed" ? "finished" : "stopped";
  if (!alive) return null;
  if (state.stop_requested !== null) return "stopping";
  if (state.wait !== null) return state.wait.why === "paused" ? "paused" : "waiting";
  return state.paused ? "pausing" : "executing";
}
