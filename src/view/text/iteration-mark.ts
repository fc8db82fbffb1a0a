import type { IterationRecord } from "../../core/journal/state.ts";
import type { IterationReceipt } from "../../core/report/report-types.ts";
import type { Style } from "./style.ts";

/** How an iteration went, as far as its mark shows it. */
export type IterationKind = "failed" | "stopped" | "open" | "denied" | "progress" | "idle";

/** The facts that decide the mark; `rule` is that of the verdict. */
export type MarkedIteration = Pick<IterationReceipt, "outcome" | "progress" | "rule">;

/** The mark of each kind, and the word for it. Every view takes it from here. */
export const ITERATION_MARKS = {
  failed: { mark: "✗", word: "failed", tone: "bad", paint: "red" },
  stopped: { mark: "■", word: "stopped", tone: "quiet", paint: "dim" },
  open: { mark: "•", word: "under way", tone: "quiet", paint: "dim" },
  denied: { mark: "!", word: "denied", tone: "warn", paint: "yellow" },
  progress: { mark: "✓", word: "progress", tone: "good", paint: "green" },
  idle: { mark: "•", word: "idle", tone: "warn", paint: "yellow" },
} as const satisfies Record<
  IterationKind,
  { mark: string; word: string; tone: "good" | "bad" | "warn" | "quiet"; paint: keyof Style }
>;

/** Those facts of a finished iteration in the journal or in the state. */
export function markedIteration({
  outcome,
  evidence,
  verdict,
}: Pick<IterationRecord, "outcome" | "evidence" | "verdict">): MarkedIteration {
  return { outcome, progress: evidence.progress, rule: verdict.rule };
}

/** A denial is never a success, whatever else changed. */
export function iterationKind({ outcome, progress, rule }: MarkedIteration): IterationKind {
  if (outcome === "failed" || outcome === "interrupted") return "failed";
  if (outcome === "stopped" || outcome === "limited") return "stopped";
  if (outcome === "open") return "open";
  if (rule === "permission_denied") return "denied";
  return progress ? "progress" : "idle";
}

/** The mark of an iteration in its colour. */
export function iterationMark(iteration: MarkedIteration, style: Style): string {
  const { mark, paint } = ITERATION_MARKS[iterationKind(iteration)];
  return style[paint](mark);
}
