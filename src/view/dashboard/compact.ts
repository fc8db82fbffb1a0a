import type { State } from "../../core/journal/state.ts";
import type { CircuitBreaker } from "../../core/stop/circuit-breaker.ts";
import { money } from "../text/figures.ts";
import { singleLine } from "../text/text.ts";
import { bar } from "./bar.ts";
import { clipLine } from "./panel-layout.ts";
import { gatesPanel, type PanelInput } from "./panels.ts";
import { sparkline } from "./sparkline.ts";

const BAR = 10;

/** The panels of a narrow screen: one line each. */
export function compactLines(input: PanelInput): string[] {
  const { state, plan, rows, now, width, style, shorten } = input;
  const { settings, budget, last } = state;
  const next = plan?.tasks[0];
  const calls = budget.resets_at > now ? budget.calls : 0;
  const mark =
    last?.outcome === "failed"
      ? style.red("✗")
      : last?.evidence.progress === true
        ? style.green("✓")
        : style.yellow("•");
  const lines = [
    state.plan === null || state.plan.total === 0
      ? null
      : `${style.dim("plan   ")}${bar(state.plan.checked, state.plan.total, BAR, style, style.green)} ${state.plan.checked}/${state.plan.total}${next === undefined ? "" : `  ${style.cyan("→")} ${singleLine(next.text)}`}`,
    `${style.dim("bounds ")}${boundsWords(state, calls)}`,
    `${style.dim("breaker")} ${breakerWords(state.breaker, settings)}`,
    last === null ? null : `${style.dim("last   ")}${mark} ${shorten(singleLine(last.verdict.sentence))}`,
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
  return lines.filter((line) => line !== null).map((line) => clipLine(line, width));
}

function boundsWords({ settings, iterations, more_iterations, usage }: State, calls: number): string {
  const { MAX_CALLS_PER_HOUR, MAX_ITERATIONS, MAX_COST_USD } = settings;
  return [
    typeof MAX_ITERATIONS === "number" ? `iterations ${iterations}/${MAX_ITERATIONS + more_iterations}` : null,
    `calls ${calls}/${String(MAX_CALLS_PER_HOUR ?? "?")}`,
    typeof MAX_COST_USD === "number" ? `${money(usage.cost_usd ?? 0)}/${money(MAX_COST_USD)}` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

function breakerWords(breaker: CircuitBreaker, settings: Record<string, unknown>): string {
  const counters = [
    ["idle", breaker.no_progress, settings.CB_NO_PROGRESS_THRESHOLD],
    ["errors", breaker.same_error, settings.CB_SAME_ERROR_THRESHOLD],
  ].map(([name, value, threshold]) => `${name} ${value}/${threshold ?? "?"}`);
  return [breaker.state.toUpperCase(), ...counters].join(" · ");
}
