import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import type { BoundSettings, StopRule } from "./stop-reasons.ts";
import { BOUND_REASONS, stopRule } from "./stop-rule.ts";

type Limit = Pick<StopRule, "threshold" | "needs">;

/** Also a limit, though it only makes the run wait. */
const HOURLY: Limit = { threshold: "MAX_TOKENS_PER_HOUR", needs: "tokens" };

/**
 * One sentence for the user about bounds that cannot be enforced, because the agent's last answer did not report their
 * figure. Null if all can.
 * @param agent the agent's display name
 */
export function describeUnenforceableLimits(
  { last, usage }: Pick<State, "last" | "usage">,
  settings: BoundSettings & Pick<Settings, "MAX_TOKENS_PER_HOUR" | "ESTIMATE_COST">,
  agent: string,
): string | null {
  if (last === null || last.outcome === "failed") return null;
  // A call that was cut short may have told nothing where others do: then what it probably cost counts.
  const { cost_usd, estimated_usd, input_tokens, output_tokens } = last.outcome === "timed_out" ? usage : last.usage;
  const estimates = settings.ESTIMATE_COST && estimated_usd !== undefined;
  const reported = { cost: cost_usd !== null || estimates, tokens: input_tokens !== null || output_tokens !== null };
  const canEnforce = ({ needs }: Limit) => needs === undefined || reported[needs];
  const bounds = BOUND_REASONS.map(stopRule);
  const unenforceable = [...bounds, HOURLY].filter((limit) => isSet(limit, settings) && !canEnforce(limit));
  if (unenforceable.length === 0) return null;
  const figures = unenforceable.some(({ needs }) => needs === "tokens") ? "what its calls use" : "what its calls cost";
  const names = (limits: readonly Limit[]) => limits.map(({ threshold }) => String(threshold));
  // Of several bounds in the same figure the first is enough.
  const isFirst = ({ needs }: Limit, at: number, all: Limit[]) =>
    needs === undefined || all.findIndex((one) => one.needs === needs) === at;
  const able = bounds.filter(canEnforce).filter(isFirst);
  const held = able.filter((limit) => isSet(limit, settings));
  const others = able.filter((limit) => !held.includes(limit));
  const also = held.length === 0 ? "" : `; ${names(held).join(" and ")} can`;
  const estimate = estimated_usd !== undefined && !estimates ? "count estimates with --estimate-cost" : null;
  return `${agent} does not report ${figures}: ${names(unenforceable).join(" and ")} cannot end this run${also}.${advice(names(others), estimate)}`;
}

function advice(bounds: readonly string[], estimate: string | null): string {
  if (bounds.length > 0)
    return ` Bound it by ${bounds.join(", ")}${estimate === null ? " instead" : `, or ${estimate}`}.`;
  return estimate === null ? "" : ` To bound it, ${estimate}.`;
}

function isSet({ threshold }: Limit, settings: Readonly<Record<string, unknown>>): boolean {
  const value = settings[threshold];
  return value !== null && value !== undefined && value !== 0;
}
