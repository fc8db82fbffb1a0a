import { join } from "node:path";
import { findResumableSession } from "../../core/decide/session.ts";
import { MINUTE_MS } from "../../core/durations.ts";
import type { State } from "../../core/journal/state.ts";
import { dayOf } from "../../core/money/spending.ts";
import { type CheckResult, failed, failedBy, passed, warned } from "../../core/report/check-result.ts";
import { openWords } from "../../core/report/open-words.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { nextAllowed, spentInHour } from "../../core/stop/budget.ts";
import { count } from "../../core/text/count.ts";
import { money } from "../../core/text/money.ts";
import { displayNameOf } from "../../driver-host/registry.ts";
import { readLock } from "../../effects/journal/lock.ts";
import type { SpendingLedger } from "../../effects/ports.ts";
import { initialRunState } from "../../run/recovery.ts";
import { duration } from "../../view/text/figures.ts";

/**
 * What earlier runs left: breaker, session and call budget; and any run that is still live.
 * @param now epoch ms
 */
export function stateChecks(
  { state: known, ralphDir, driver, settings }: { state: State; ralphDir: string; driver: string; settings: Settings },
  now: number,
): CheckResult[] {
  const state = initialRunState(known, settings, now);
  const lock = readLock(join(ralphDir, "lock"));
  return [
    breakerCheck(state, now, settings),
    sessionCheck(state, driver, settings, now),
    budgetCheck(state, settings, now),
    ...(lock?.isHeld === true
      ? [
          warned(
            "running",
            `Run ${lock.run} (pid ${lock.pid}) is going on here; a second one is refused.`,
            "ralph status",
          ),
        ]
      : []),
  ];
}

function breakerCheck({ breaker }: State, now: number, { CB_COOLDOWN_MINUTES }: Settings): CheckResult {
  if (breaker.state === "closed") return passed("breaker", "CLOSED");
  if (breaker.state === "half_open") return passed("breaker", "HALF_OPEN: the next iteration decides");
  const left = breaker.since + CB_COOLDOWN_MINUTES * MINUTE_MS - now;
  return failed(
    "breaker",
    `${openWords(breaker.reason)}: ${breaker.sentence} It tries again in ${duration(Math.max(0, left))}.`,
    "ralph circuit reset",
  );
}

function sessionCheck({ session }: State, driver: string, settings: Settings, now: number): CheckResult {
  if (session.session_id === null) return passed("session", "none; the next call begins one");
  const age = `${session.session_id}, ${duration(Math.max(0, now - Date.parse(session.created_at)))} old`;
  const { resume, expired } = findResumableSession(session, { settings, driver, now });
  if (resume !== null) return passed("session", age);
  const why = expired
    ? `older than ${settings.SESSION_EXPIRY_HOURS} h`
    : `of ${displayNameOf(session.driver)}, or sessions are off`;
  return passed("session", `${age}; not resumed: ${why}`);
}

function budgetCheck({ budget }: State, settings: Settings, now: number): CheckResult {
  const { MAX_CALLS_PER_HOUR: calls, MAX_TOKENS_PER_HOUR: tokens } = settings;
  const allowance = nextAllowed(budget, { calls, tokens }, now);
  const used = spentInHour(budget, now).calls;
  if (allowance.allowed) return passed("budget", `${used} of ${count(calls, "call")} of this hour`);
  const left = duration(Math.max(0, allowance.resets_at - now));
  return warned("budget", `The hour's budget is spent: a run waits ${left} first.`, `ralph run --calls ${calls * 2}`);
}

/**
 * What all runs of this user may still cost today; nothing without a bound for it.
 * @param now epoch ms
 */
export function dayChecks({ MAX_COST_PER_DAY: limit }: Settings, ledger: SpendingLedger, now: number): CheckResult[] {
  if (limit === null) return [];
  try {
    const used = ledger.spentOn(dayOf(now));
    if (used < limit) return [passed("today", `${money(used)} of $${limit} for all your runs`)];
    return [
      failed(
        "today",
        `All your runs of today cost ${money(used)} of $${limit}: a run ends at once.`,
        "go on tomorrow, or with a higher MAX_COST_PER_DAY",
      ),
    ];
  } catch (error) {
    return [failedBy("today", error)];
  }
}
