import type { State } from "../../core/journal/state.ts";
import type { CountedReason } from "../../core/stop/stop-reasons.ts";
import { BOUND_REASONS, headroomOf } from "../../core/stop/stop-rule.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { headroomText } from "../live/headroom-text.ts";
import { iterationMark, markedIteration } from "../text/iteration-mark.ts";
import { fit } from "../text/text.ts";
import { bar } from "./bar.ts";
import { gatesPanel, type PanelInput } from "./panels.ts";
import type { RunPlan } from "./plan/run-plan.ts";
import { sparkline } from "./sparkline.ts";

const BAR = 10;

/** The panels of a narrow screen: one line each. */
export function compactLines(input: PanelInput, plan: RunPlan | null): string[] {
  const { state, rows, now, end, width, style, shorten } = input;
  const { budget, last } = state;
  const next = plan?.entries.find((entry) => entry.state === "current");
  const calls = budget.resets_at > now ? budget.calls : 0;
  const lines = [
    state.plan === null || state.plan.total === 0
      ? null
      : `${style.dim("plan   ")}${bar(state.plan.checked, state.plan.total, BAR, style, style.green)} ${state.plan.checked}/${state.plan.total}${next === undefined ? "" : `  ${style.cyan("→")} ${singleLine(next.text)}`}`,
    `${style.dim("bounds ")}${boundsWords(state, calls, end)}`,
    `${style.dim("breaker")} ${breakerWords(state, now)}`,
    last === null
      ? null
      : `${style.dim("last   ")}${iterationMark(markedIteration(last), style)} ${shorten(singleLine(last.verdict.sentence))}`,
    rows.length < 2
      ? null
      : `${style.dim("tokens ")}${style.blue(
          sparkline(
            rows.map((row) => row.tokens),
            width - 8,
          ),
        )}`,
    ...gatesPanel(input).slice(1, 4),
  ];
  return lines.filter((line) => line !== null).map((line) => fit(line, width));
}

function boundsWords(state: State, calls: number, now: number): string {
  const bounds = BOUND_REASONS.map((reason) => headroomOf(reason, state, state.settings, now))
    .filter(({ limit }) => limit > 0)
    .map((bound) => headroomText(bound, state.started_at));
  return [`calls ${calls}/${String(state.settings.MAX_CALLS_PER_HOUR ?? "?")}`, ...bounds].join(" · ");
}

function breakerWords(state: State, now: number): string {
  const counter = (reason: CountedReason, label: string) => {
    const { used, limit } = headroomOf(reason, state, state.settings, now);
    return `${label} ${used}/${limit}`;
  };
  // Words shorter than those of the rules: both have to fit on 40 columns.
  const counters = [counter("stagnation_detected", "idle"), counter("repeated_error", "errors")];
  return [state.breaker.state.toUpperCase(), ...counters].join(" · ");
}
