import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { patienceOf } from "./headway.ts";
import { headroomOf, stopRule } from "./stop-rule.ts";

/** The ends for which a run is warned. */
const REASONS = ["denied_repeatedly", "no_headway"] as const;

/** A sentence for the user once half the way to a stop for spinning is behind the run; null otherwise. */
export function spinningWarning(before: State, after: State, settings: Settings): string | null {
  for (const reason of REASONS) {
    const [earlier, now] = [before, after].map((state) => headroomOf(reason, state, settings, 0));
    if (earlier === undefined || now === undefined || now.limit === 0) continue;
    const half = Math.max(2, Math.ceil(now.limit / 2));
    if (now.used < half) continue;
    // Who was warned of one of them knows.
    if (earlier.used >= half || now.used >= now.limit) return null;
    const { threshold, sentence } = stopRule(reason);
    const what = sentence?.({ ...now, threshold, state: after }) ?? "";
    const patience = reason === "no_headway" ? patienceOf(after.headway, now.used) : 1;
    const setting = patience === 1 ? threshold : `three times ${threshold}`;
    return `${what} At ${now.limit * patience} the run ends (${setting}). The next prompt says so.`;
  }
  return null;
}
