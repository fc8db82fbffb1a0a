import type { State } from "../../core/journal/state.ts";
import { spentInHour } from "../../core/stop/budget.ts";
import type { CountedReason } from "../../core/stop/stop-reasons.ts";
import { BOUND_REASONS, headroomOf, stopRule } from "../../core/stop/stop-rule.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { headroomText } from "../live/headroom-text.ts";
import { iterationMark, markedIteration } from "../text/iteration-mark.ts";
import { columns, fit } from "../text/text.ts";
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
  const { calls } = spentInHour(budget, now);
  const lines = [
    plan === null
      ? null
      : `${style.dim("plan   ")}${bar(plan.counts.checked, plan.counts.total, BAR, style, style.green)} ${plan.counts.checked}/${plan.counts.total}${next === undefined ? "" : `  ${style.cyan("→")} ${singleLine(next.text)}`}`,
    `${style.dim("bounds ")}${boundsWords(state, calls, end)}`,
    `${style.dim("breaker")} ${breakerWords(state, now, width - "breaker ".length)}`,
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

/** Without room for both counters, the one that is nearer to opening it. */
function breakerWords(state: State, now: number, room: number): string {
  const counter = (reason: CountedReason) => {
    const { used, limit } = headroomOf(reason, state, state.settings, now);
    return { share: used / limit, text: `${stopRule(reason).label} ${used}/${limit}` };
  };
  const [idle, errors] = [counter("stagnation_detected"), counter("repeated_error")];
  const nearer = errors.share > idle.share ? errors : idle;
  const words = (counters: readonly { text: string }[]) =>
    [state.breaker.state.toUpperCase(), ...counters.map(({ text }) => text)].join(" · ");
  const both = words([idle, errors]);
  return columns(both) <= room ? both : words([nearer]);
}
