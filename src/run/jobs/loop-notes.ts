/** What the loop tells a person between two iterations. */

import { describeTestShare } from "../../core/decide/test-share.ts";
import type { State } from "../../core/journal/state.ts";
import { warning } from "../../core/journal/warning.ts";
import { forecastOf, leavesForecast } from "../../core/money/forecast.ts";
import { describeTakenOff } from "../../core/plan/taken-off-text.ts";
import { describeQuickFailures } from "../../core/stop/same-failure.ts";
import { spinningWarning } from "../../core/stop/spinning-warning.ts";
import { describeUnenforceableLimits } from "../../core/stop/unenforceable-limits.ts";
import type { Agent } from "../agent.ts";
import type { Run } from "../run.ts";

/** Records the run's forecast as soon as there is one, and warns when it is left; the new one counts from then on. */
export function noteForecast({ state, append }: Run): void {
  const { open, forecast: before } = state();
  const now = open === null ? forecastOf(state()) : null;
  if (now === null) return;
  const alarm = before === null ? null : leavesForecast(before, now);
  if (alarm !== null) append(warning(alarm));
  if (before === null || alarm !== null) append({ type: "forecast_made", ...now });
}

/** Tells a person what an iteration shows of the run: each of it once, when it begins. @param earlier the state before it */
export function noteIteration({ state, append, settings }: Run, earlier: State): void {
  const now = state();
  const told = [
    // Many iterations only run tests.
    describeTestShare(earlier.trend, now.trend, settings.TEST_PERCENTAGE_THRESHOLD),
    // Calls fail again and again in the same way: only a person can tell an outage from a broken agent.
    describeQuickFailures(
      earlier.failures,
      now.failures,
      earlier.session.session_id !== null && now.session.session_id === null,
    ),
    // The run gets nothing done, half the way to a stop.
    spinningWarning(earlier, now, settings),
    tasksTakenOff(earlier, now),
  ];
  for (const text of told) if (text !== null) append(warning(text));
}

/** Tasks that left the plan without a tick. */
function tasksTakenOff(earlier: State, now: State): string | null {
  const fresh = now.taken_off.filter((task) => !earlier.taken_off.includes(task));
  if (fresh.length === 0) return null;
  return `${describeTakenOff(fresh)} Without it a complete plan does not end the run: the agent is asked.`;
}

/** Tells, after an iteration, what is told once in a run. */
export function createNews({ world, state, append, settings }: Run, { driver }: Agent): () => void {
  let told = 0;
  let areLimitsTold = false;
  return () => {
    const { warnings } = world.workspace;
    for (const text of warnings.slice(told)) append(warning(text));
    told = warnings.length;
    // After the first answer whose figures cannot enforce the limits.
    const limits = areLimitsTold ? null : describeUnenforceableLimits(state(), settings, driver.displayName);
    if (limits === null) return;
    append(warning(limits));
    areLimitsTold = true;
  };
}
