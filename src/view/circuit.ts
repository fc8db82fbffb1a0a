import { MINUTE_MS } from "../core/durations.ts";
import type { State } from "../core/journal/state.ts";
import { openWords } from "../core/report/open-words.ts";
import { deniedIn } from "../core/report/status-report.ts";
import type { Settings } from "../core/settings/settings.ts";
import type { CircuitBreaker } from "../core/stop/circuit-breaker.ts";
import type { CountedReason } from "../core/stop/stop-reasons.ts";
import { stopRule } from "../core/stop/stop-rule.ts";
import { count } from "../core/text/count.ts";
import { deniedText } from "./status-lines.ts";
import { duration } from "./text/figures.ts";
import type { Style } from "./text/style.ts";
import { wrap } from "./text/text.ts";

const NAME_COLUMNS = 12;

/** `ralph circuit status`: the breaker's state, and how near each counter is to opening it. */
export function circuitLines(
  state: Pick<State, "breaker" | "last">,
  settings: Settings,
  { style, width, now }: { style: Style; width: number; now: number },
): string[] {
  const { breaker } = state;
  const denied = deniedIn(state);
  return [
    ...wrap(stateLine(breaker, settings, style, now), width),
    row("stagnation_detected", breaker.no_progress, settings.CB_NO_PROGRESS_THRESHOLD, style),
    row("repeated_error", breaker.same_error, settings.CB_SAME_ERROR_THRESHOLD, style),
    ...(settings.PERMISSION_DENIAL_MODE === "threshold" || openedByDenials(breaker)
      ? [row("permission_denials", breaker.denials, settings.CB_PERMISSION_DENIAL_THRESHOLD, style)]
      : []),
    row("read_only_timeouts", breaker.read_only_timeouts, settings.CB_READ_ONLY_TIMEOUT_THRESHOLD, style),
    ...(denied === null ? [] : wrap(`${deniedText(denied)}: ${denialOutcome(settings)}`, width).map(style.yellow)),
    style.dim(`opened ${count(breaker.total_opens, "time")} in all`),
  ];
}

/** Whether denials opened it, in a run whose settings counted them. */
function openedByDenials(breaker: CircuitBreaker): boolean {
  return breaker.denials > 0 || (breaker.state === "open" && breaker.reason === "permission_denials");
}

function denialOutcome({ PERMISSION_DENIAL_MODE: mode }: Settings): string {
  const outcome = { continue: "it goes on", halt: "the run ends", threshold: "it counts" }[mode];
  return `${outcome} (PERMISSION_DENIAL_MODE=${mode})`;
}

function stateLine(breaker: CircuitBreaker, settings: Settings, style: Style, now: number): string {
  if (breaker.state === "closed") return style.green("CLOSED");
  if (breaker.state === "half_open")
    return `${style.yellow("HALF_OPEN")} ${breaker.why === "cooldown" ? "the next iteration decides" : "a warning: progress closes it"}`;
  const left = breaker.since + settings.CB_COOLDOWN_MINUTES * MINUTE_MS - now;
  const when = left > 0 ? `tries again in ${duration(left)}` : "the next run tries again";
  return `${style.red(openWords(breaker.reason))}: ${breaker.sentence} It ${when}; close it now with: ralph circuit reset`;
}

function row(reason: CountedReason, value: number, threshold: number, style: Style): string {
  return `${style.dim(stopRule(reason).label.padEnd(NAME_COLUMNS))}${value}${threshold === 0 ? style.dim(" (off)") : ` of ${threshold}`}`;
}
