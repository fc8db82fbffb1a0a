import { shownDenials } from "../answer/denial.ts";
import { MINUTE_MS } from "../durations.ts";
import { reasonText } from "../gates/weakened-text.ts";
import type { State } from "../journal/state.ts";
import { addUsage, describeTokens, type Spending, totalTokens } from "../journal/usage.ts";
import { countedEstimate, countedUsd } from "../money/spending.ts";
import { minutesInWords } from "../settings/minutes.ts";
import type { SettingName, Settings } from "../settings/settings.ts";
import { count } from "../text/count.ts";
import { money } from "../text/money.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { describeSpinning, iterationsWithoutHeadway } from "./headway.ts";
import { nextTimeOfDay } from "./next-time-of-day.ts";
import { MOST_FAILURES, mostFailures } from "./same-failure.ts";
import { endingTestLoops } from "./test-loops.ts";

/** Settings from a journal, perhaps of another version of ralph. */
export type SettingValues = { readonly [Name in SettingName]?: unknown };

/**
 * The unit of a rule, which decides its format: `2/3`, `$3.10 of $5`, `1.2M of 4M tokens`, `6 h 12 min of 8 h`, `until 07:00`.
 */
export type Unit = "count" | "usd" | "tokens" | "duration" | "clock";

/** One way a run can end. */
export type StopRow = {
  exit: number;
  /** Words of `status.json`, from the bash original. */
  status: "completed" | "stopped" | "halted" | "error";
  action: string;
  /** The end in one sentence, unless its rule has a better one. */
  text: string;
  /**
   * The user's next step, with its commands in backticks. `{work}` is the command that continues the work, `{again}` the
   * command as typed (also for an import), `{other_model}` the same with a model to be named, `{after_limit}` the way past the provider's limit.
   */
  next: string;
  /** The count and its limit; absent for an end that is not counted. */
  rule?: StopRule;
};

/** Ends the run when a count reaches its limit. */
export type StopRule = {
  /** A word or two for the status line and the dashboard. */
  label: string;
  /** The singular of the label, if it differs. */
  one?: string;
  /** What it is counted for, if not for the run. */
  per?: "task" | "day";
  unit: Unit;
  /** The setting with the limit, or ralph's own limit. */
  threshold: SettingName | number;
  /** The figure that the agent must report; without it the rule never ends a run. */
  needs?: "cost" | "tokens";
  /** It prevents the next iteration, but lets the current one finish. */
  sparesOpenIteration?: true;
  /** @param now epoch ms */
  used: (state: State, now: number) => number;
  /** The threshold in the unit of `used`, if it has another one; 0 for none. */
  limit?: (threshold: unknown, run: RunBegin) => number;
  /** Whether the settings activate the rule. */
  applies?: (settings: SettingValues) => boolean;
  /** Returns null to use the row's text. */
  sentence?: (reached: Reached) => string | null;
};

/** The parts of a run that a limit may depend on. */
export type RunBegin = Pick<State, "started_at" | "more_iterations" | "failures">;

type Reached = { used: number; limit: number; threshold: unknown; state: State };
type Breaking = { breaker: Pick<CircuitBreaker, "no_progress" | "same_error" | "denials" | "read_only_timeouts"> };
type Signals = Pick<State, "signals">;
type Tested = Signals & { headway: Pick<State["headway"], "quiet">; settings: SettingValues };
type Held = Pick<State, "held">;

const DONE = {
  exit: 0,
  status: "completed",
  action: "graceful_exit",
  next: "See what was done with: `ralph report`",
} as const;
const ON_REQUEST = { status: "stopped", next: "Go on with: `{again}`" } as const;
const BREAKER_OPEN = {
  exit: 3,
  status: "halted",
  action: "circuit_breaker_open",
  next: "See why with: `ralph logs`. Then: `ralph circuit reset`, and `{work}`",
} as const;
const BOUND = {
  exit: 4,
  status: "stopped",
  action: "bound_reached",
  // Bounds are per run, so the same words allow as much again.
  next: "Go on with: `{work}`",
} as const;
const DEADLOCK = {
  exit: 6,
  status: "halted",
  next: "See what the agent says with: `ralph logs`. Then go on with: `{work}`",
} as const;

/**
 * Every way a run can end, one row each. Decisions, exit codes, `status.json`, receipts and screens read it.
 *
 * A new bound is a row here and one in settings.ts. Bounds are checked in the order of their rows. Source: product.md
 * "Exit codes" and "What ralph decides".
 */
export const STOP_REASONS = {
  project_complete: {
    ...DONE,
    text: "The agent said that everything is done, and confirmed it.",
    rule: {
      label: "done",
      unit: "count",
      threshold: 2,
      // After one completion indicator, the next EXIT_SIGNAL is believed.
      used: ({ signals }: Signals) => Math.min(1, signals.completion_indicators.length),
    },
  },
  plan_complete: { ...DONE, text: "Every box of the plan is ticked." },
  completion_signals: {
    ...DONE,
    text: "The agent said twice in a row that it is done.",
    rule: {
      label: "done",
      unit: "count",
      threshold: "MAX_CONSECUTIVE_DONE_SIGNALS",
      used: ({ signals }: Signals) => signals.done_signals.length,
      sentence: ({ used }: { used: number }) => {
        const often = used === 1 ? "" : used === 2 ? " twice in a row" : ` ${used} times in a row`;
        return `The agent said${often} that it is done.`;
      },
    },
  },
  proven_complete: {
    ...DONE,
    text: "Nothing is left to do: the gates are green, no box is open, and the agent finds nothing to change.",
  },
  test_saturation: {
    ...DONE,
    text: "Only tests were run, several times in a row.",
    rule: {
      label: "only tests",
      unit: "count",
      threshold: "MAX_CONSECUTIVE_TEST_LOOPS",
      used: ({ signals, headway, settings }: Tested) =>
        endingTestLoops(signals.test_only_loops.length, headway.quiet, settings.DONE_POLICY),
      sentence: ({ used }: { used: number }) => `Only tests were run in ${inARow(used)}.`,
    },
  },
  import_complete: {
    ...DONE,
    text: "The document was turned into a plan and specs.",
    next: "Read .ralph/PROMPT.md and the plan, then: `ralph run`",
  },
  landed: {
    exit: 0,
    status: "stopped",
    action: "landed",
    text: "Everything was landed.",
    next: "See what landed with: `ralph logs`",
  },
  not_all_landed: {
    exit: 6,
    status: "stopped",
    action: "not_all_landed",
    text: "Some work was not landed.",
    next: "See why with: `ralph logs`. When that is mended: `{again}`",
  },
  stopped_by_user: { ...ON_REQUEST, exit: 0, action: "stopped_by_user", text: "Stopped on request." },
  internal_error: {
    exit: 1,
    status: "error",
    action: "unexpected_exit",
    text: "Something unexpected failed.",
    next: "See what happened: `ralph logs -v`",
  },

  stagnation_detected: {
    ...BREAKER_OPEN,
    text: "Nothing changed for too long.",
    rule: {
      label: "idle",
      unit: "count",
      threshold: "CB_NO_PROGRESS_THRESHOLD",
      used: ({ breaker }: Breaking) => breaker.no_progress,
      sentence: ({ used }: { used: number }) => `Nothing changed in ${inARow(used)}.`,
    },
  },
  repeated_error: {
    ...BREAKER_OPEN,
    text: "The same error came back again and again.",
    rule: {
      label: "same error",
      unit: "count",
      threshold: "CB_SAME_ERROR_THRESHOLD",
      used: ({ breaker }: Breaking) => breaker.same_error,
      sentence: ({ used }: { used: number }) => `The same error came back in ${inARow(used)}.`,
    },
  },
  output_decline: { ...BREAKER_OPEN, text: "The answers shrank and nothing changed." },
  permission_denials: {
    ...BREAKER_OPEN,
    text: "The agent was denied permission again and again.",
    rule: {
      label: "denied",
      unit: "count",
      threshold: "CB_PERMISSION_DENIAL_THRESHOLD",
      used: ({ breaker }: Breaking) => breaker.denials,
      applies: ({ PERMISSION_DENIAL_MODE }) => PERMISSION_DENIAL_MODE === "threshold",
      sentence: ({ used }: { used: number }) => `The agent was denied permission in ${inARow(used)}.`,
    },
  },
  read_only_timeouts: {
    ...BREAKER_OPEN,
    text: "The agent timed out without writing anything.",
    rule: {
      label: "timed out",
      unit: "count",
      threshold: "CB_READ_ONLY_TIMEOUT_THRESHOLD",
      used: ({ breaker }: Breaking) => breaker.read_only_timeouts,
      sentence: ({ used }: { used: number }) => `The agent timed out without writing anything in ${inARow(used)}.`,
    },
  },
  denied_repeatedly: {
    exit: 3,
    status: "halted",
    action: "permission_denied",
    text: "The agent was denied the same again and again.",
    next: "Allow what was denied (--allowed-tools, --permission-mode), then: `{work}`",
    rule: {
      label: "same denial",
      unit: "count",
      threshold: "SAME_DENIAL_THRESHOLD",
      used: ({ headway }: Pick<State, "headway">) => headway.denied,
      sentence: ({ used, state }) => {
        const denied = shownDenials(state.last?.analysis.denied_commands ?? []).join(", ") || "a tool";
        return `The agent was denied ${denied} in ${inARow(used)}, and got nothing done meanwhile.`;
      },
    },
  },
  no_headway: {
    exit: 3,
    status: "halted",
    action: "no_headway",
    text: "The run goes on and gets nothing done.",
    next: "See what it did with: `ralph report`. Then go on with: `{work}`",
    rule: {
      label: "no headway",
      unit: "count",
      threshold: "NO_HEADWAY_THRESHOLD",
      used: ({ headway, plan }: Pick<State, "headway" | "plan">) => iterationsWithoutHeadway(headway, plan),
      sentence: ({ used, state }) => {
        const { iterations, what } = describeSpinning(state.headway, used);
        return `${sentenceStart(inARow(iterations))} ${what}.`;
      },
    },
  },

  max_iterations: {
    ...BOUND,
    text: "The allowed number of iterations is used up.",
    rule: {
      label: "iterations",
      one: "iteration",
      unit: "count",
      threshold: "MAX_ITERATIONS",
      sparesOpenIteration: true,
      // The current iteration counts as one of the allowed ones.
      used: ({ iterations, earlier, open }) => earlier.iterations + iterations + (open === null ? 0 : 1),
      limit: (most, { more_iterations }) => (typeof most === "number" ? most + more_iterations : 0),
      sentence: ({ limit }) =>
        `${limit === 1 ? "The one allowed iteration is" : `All ${limit} allowed iterations are`} used up.`,
    },
  },
  max_cost: {
    ...BOUND,
    text: "The allowed cost is used up.",
    rule: {
      label: "cost",
      unit: "usd",
      threshold: "MAX_COST_USD",
      needs: "cost",
      used: (state) => countedUsd(usageOfLives(state), state.settings),
      sentence: ({ used, limit, state }) =>
        `The cost reached ${money(used)} of $${limit}${estimatedPart(usageOfLives(state), state.settings)}.`,
    },
  },
  max_cost_per_task: {
    ...BOUND,
    text: "One task costs more than is allowed.",
    next: "See what it spends on with: `ralph report`. Then go on with: `{work}`, and a higher MAX_COST_PER_TASK",
    rule: {
      label: "this task",
      per: "task",
      unit: "usd",
      threshold: "MAX_COST_PER_TASK",
      needs: "cost",
      used: ({ task_usage, settings }) => countedUsd(task_usage, settings),
      sentence: ({ used, limit, state }) =>
        `${money(used)} went into one task, $${limit} are allowed${estimatedPart(state.task_usage, state.settings)}.`,
    },
  },
  max_cost_per_day: {
    ...BOUND,
    text: "The cost that is allowed for a day is used up.",
    next: "Go on tomorrow with: `{work}`, or today with a higher MAX_COST_PER_DAY",
    rule: {
      label: "today",
      per: "day",
      unit: "usd",
      threshold: "MAX_COST_PER_DAY",
      needs: "cost",
      used: ({ day_spent }) => day_spent?.usd ?? 0,
      sentence: ({ used, limit }) => `All runs of today cost ${money(used)}, $${limit} are allowed for a day.`,
    },
  },
  max_tokens: {
    ...BOUND,
    text: "The allowed tokens are used up.",
    rule: {
      label: "tokens",
      unit: "tokens",
      threshold: "MAX_TOKENS",
      needs: "tokens",
      used: (state) => totalTokens(usageOfLives(state)),
      sentence: ({ used, limit, state }) =>
        `The run used ${used} of ${count(limit, "token")}: ${describeTokens(usageOfLives(state))}.`,
    },
  },
  max_time: {
    ...BOUND,
    text: "The allowed time is over.",
    rule: {
      label: "time",
      unit: "duration",
      threshold: "MAX_TIME",
      used: timeSinceStart,
      limit: (minutes) => (typeof minutes === "number" ? Math.round(minutes * MINUTE_MS) : 0),
      sentence: ({ limit }) => `The allowed time of ${minutesInWords(limit / MINUTE_MS)} is over.`,
    },
  },
  stop_at: {
    ...BOUND,
    text: "The time of day to stop at has come.",
    rule: {
      label: "until",
      unit: "clock",
      threshold: "STOP_AT",
      used: timeSinceStart,
      limit: (clock, { started_at }) =>
        typeof clock === "string" ? nextTimeOfDay(clock, Date.parse(started_at)) - Date.parse(started_at) : 0,
      sentence: ({ threshold }) => `It is ${threshold}, the time to stop at.`,
    },
  },

  usage_limit: {
    exit: 5,
    status: "stopped",
    action: "api_limit_exit",
    text: "The provider's usage limit is reached.",
    next: "{after_limit}",
  },
  blocked: {
    ...DEADLOCK,
    action: "blocked",
    text: "The agent says that it is blocked.",
    rule: {
      label: "blocked",
      unit: "count",
      threshold: 2,
      used: ({ blocked }) => blocked,
      sentence: ({ state }) => {
        const recommendation = state.last?.analysis.recommendation ?? null;
        if (recommendation === null) return null;
        return `The agent says that it is blocked: ${recommendation.replace(/(?<![.!?…])$/, ".")}`;
      },
    },
  },
  waits_for_answer: {
    exit: 6,
    status: "halted",
    action: "waits_for_answer",
    text: "Every open task waits for a person's answer.",
    next: "See what is asked, and how to answer, with: `ralph inbox`. Then go on with: `{work}`",
  },
  permission_denied: {
    exit: 6,
    status: "halted",
    action: "permission_denied",
    text: "The agent was denied permission.",
    next: "Allow what was denied (--allowed-tools, --permission-mode), then: `{work}`",
  },
  completion_disputed: {
    ...DEADLOCK,
    action: "completion_disputed",
    text: "The agent keeps saying done, and the evidence says no.",
    rule: {
      label: "disputed",
      unit: "count",
      threshold: 3,
      used: ({ held }: Held) => held.disputed,
      applies: ({ DONE_POLICY }) => DONE_POLICY === "evidence",
    },
  },
  safety_circuit_breaker: {
    ...DEADLOCK,
    action: "safety_circuit_breaker",
    text: "The agent keeps saying done, and the gates say no.",
    rule: {
      label: "red gates",
      unit: "count",
      threshold: 5,
      used: ({ held }: Held) => held.gated,
      // Red gates end a run only if they block it (product.md "Gates").
      applies: ({ DONE_POLICY, QUALITY_GATE_MODE }) => DONE_POLICY !== "evidence" && QUALITY_GATE_MODE !== "warn",
    },
  },
  gate_weakened: {
    exit: 6,
    status: "halted",
    action: "gate_weakened",
    text: "The gates are green only because they got weaker.",
    next: "See what changed with: `ralph gates`. If you want it so: `ralph gates accept`. If not: `ralph gates restore`. Then: `{work}`",
    rule: {
      label: "weaker gates",
      unit: "count",
      // The first time goes back to the agent.
      threshold: 2,
      used: ({ gate_trust }: Pick<State, "gate_trust">) => gate_trust.claims,
      applies: ({ DONE_POLICY, QUALITY_GATE_MODE }) => DONE_POLICY === "evidence" || QUALITY_GATE_MODE !== "warn",
      sentence: ({ state }) => weakenedSentence(state),
    },
  },
  authentication: {
    exit: 6,
    status: "halted",
    action: "authentication",
    text: "The agent's login is missing or not accepted.",
    next: "Log in, then: `{again}`",
  },
  unpaid: {
    exit: 6,
    status: "halted",
    action: "unpaid",
    text: "The agent's account has no credit or quota left.",
    next: "Add credit to the account or take another agent (--driver), then: `{again}`",
  },
  files_deleted: {
    exit: 7,
    status: "halted",
    action: "integrity_failure",
    text: "Files that ralph needs disappeared during the run and were restored.",
    next: "Look at what is there with: `git status`. Then go on with: `{work}`",
  },
  environment_error: {
    exit: 7,
    status: "error",
    action: "failed",
    text: "Something that the run needs does not work, such as a file or a driver of yours.",
    next: "Mend what the error names, then go on with: `{again}`",
  },
  disk_full: {
    exit: 7,
    status: "error",
    action: "disk_full",
    text: "The disk is full: the run's files could not be written.",
    next: "Free some space, then go on with: `{again}`",
  },
  infrastructure_failures: {
    exit: 7,
    status: "error",
    action: "failed",
    text: "Too many calls failed in a row.",
    next: "See the errors with: `ralph logs`. Then go on with: `{again}`",
    rule: {
      label: "failed",
      unit: "count",
      threshold: MOST_FAILURES,
      used: ({ failures }) => failures.count,
      limit: (_, { failures }) => mostFailures(failures),
      sentence: ({ used, state }) => `${count(used, "call")} failed in a row; the last one: ${state.failures.message}`,
    },
  },
  model_unavailable: {
    exit: 7,
    status: "error",
    action: "failed",
    text: "The agent cannot use the model.",
    next: "Go on with another model: `{other_model}`",
  },
  agent_unusable: {
    exit: 7,
    status: "error",
    action: "failed",
    text: "The agent cannot be used.",
    next: "Look at the agent with: `ralph drivers`",
  },
  hung_up: { ...ON_REQUEST, exit: 129, action: "interrupted", text: "The terminal went away." },
  interrupted: { ...ON_REQUEST, exit: 130, action: "interrupted", text: "Interrupted at the keyboard." },
  terminated: { ...ON_REQUEST, exit: 143, action: "interrupted", text: "Terminated." },
} as const satisfies Record<string, StopRow>;

export type StopReason = keyof typeof STOP_REASONS;

/** The ends of a run that broke off by an error: nobody decided them. */
export const BROKEN_OFF: ReadonlySet<StopReason> = new Set(["internal_error", "environment_error", "disk_full"]);

type Rows = typeof STOP_REASONS;

/** The ends caused by a count. */
export type CountedReason = {
  [Reason in StopReason]: Rows[Reason] extends { rule: unknown } ? Reason : never;
}[StopReason];

/** The bounds that the user sets. */
export type BoundReason = {
  [Reason in CountedReason]: Rows[Reason] extends { action: "bound_reached" } ? Reason : never;
}[CountedReason];

/** The settings that bound a run. */
export type BoundSettings = Pick<Settings, Rows[BoundReason]["rule"]["threshold"]>;

function estimatedPart(usage: Spending, settings: SettingValues): string {
  const estimated = countedEstimate(usage, settings);
  return estimated === 0 ? "" : `, ${money(estimated)} of it estimated`;
}

function weakenedSentence({ gate_trust }: State): string | null {
  const [first, ...others] = gate_trust.weakened?.reasons ?? [];
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `The agent was told that the gates got weaker, and claims again that they prove its work. ${reasonText(first)}${more}`.replace(
    /(?<![.!?…])$/,
    ".",
  );
}

/** The iterations that a rule counted, as a sentence has them. */
export function inARow(n: number): string {
  return n === 1 ? "the last iteration" : `${n} iterations in a row`;
}

function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The usage of a run with what it spent before it broke off. */
function usageOfLives({ earlier, usage }: State): Spending {
  return addUsage(earlier.usage, usage);
}

function timeSinceStart({ started_at }: State, now: number): number {
  return now - Date.parse(started_at);
}
