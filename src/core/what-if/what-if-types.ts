import type { StopReason } from "../stop/stop-reasons.ts";
import type { ChangedSetting } from "./changed-settings.ts";

/** What a run did up to some point; times in ms since its start, waits included. */
export type Course = {
  iterations: number;
  calls: number;
  cost_usd: number | null;
  /** What it probably cost where the agent does not tell. */
  estimated_usd: number | null;
  tokens: number;
  ms: number;
  /** Iterations that changed a file. */
  changing: number;
  commits: number;
  boxes_ticked: number;
};

export type RunEnd = { stop_reason: StopReason; exit_code: number; sentence: string };

/** Why a run can no longer be followed, beside the reason of an end. */
export type DivergenceRule =
  | "agent"
  | "call_time"
  | "checks"
  | "gates"
  | "look"
  | "prompt"
  | "question"
  | "record"
  | "review"
  | "session"
  | "spending_of_the_day"
  | "start"
  | "version"
  | "wait";

/** The recorded event that would not have come, or would have been another one. */
export type Divergence = {
  seq: number;
  at: string;
  /** The iteration that it is in, begins or follows; 0 before the first. */
  iteration: number;
  rule: StopReason | DivergenceRule;
  sentence: string;
};

/**
 * What a kept run would have done under other settings. `same`: what it did. `ends`: it ends at the divergence, in `end`.
 * `goes_on`: it goes on where the record ends. `diverges`: it would have done something else there whose result nobody knows.
 * `unknown`: this version decides otherwise than the one that made the run.
 */
export type WhatIf = {
  result: "same" | "ends" | "goes_on" | "diverges" | "unknown";
  changed: ChangedSetting[];
  divergence: Divergence | null;
  end: RunEnd | null;
  /** Exact up to the divergence. */
  course: Course;
  /** What the record holds after it. */
  rest: Course;
};

/** A kept run, as it was and under other settings. */
export type WhatIfReport = {
  run: string;
  /** What started the run: `cli`, `task`, `demo`, `reset` or `import`. */
  started_by: string;
  /** `end` is null where the record breaks off. */
  recorded: Course & { end: RunEnd | null };
  /** In the order of the changes asked for. */
  what_if: WhatIf[];
};
