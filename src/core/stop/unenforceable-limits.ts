import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import type { BoundSettings } from "./bounds.ts";

/**
 * The bounds that cannot hold, since the agent's last answer did not tell the figure that they bound: in one sentence for
 * the user, who believes that they do. Null where all can.
 * @param agent the agent's name for people
 */
export function describeUnenforceableLimits(
  { last }: Pick<State, "last">,
  settings: Pick<BoundSettings, "MAX_COST_USD" | "MAX_TOKENS"> & Pick<Settings, "MAX_TOKENS_PER_HOUR">,
  agent: string,
): string | null {
  if (last === null || last.outcome !== "answered") return null;
  const { cost_usd, input_tokens, output_tokens } = last.usage;
  const noTokens = input_tokens === null && output_tokens === null;
  const blind = [
    ...(settings.MAX_COST_USD !== null && cost_usd === null ? ["MAX_COST_USD"] : []),
    ...(settings.MAX_TOKENS !== null && noTokens ? ["MAX_TOKENS"] : []),
    ...(settings.MAX_TOKENS_PER_HOUR > 0 && noTokens ? ["MAX_TOKENS_PER_HOUR"] : []),
  ];
  if (blind.length === 0) return null;
  const figures = blind.some((name) => name !== "MAX_COST_USD") ? "what its calls use" : "what its calls cost";
  const others = ["MAX_ITERATIONS", "MAX_TIME", ...(noTokens ? [] : ["MAX_TOKENS"])];
  return `${agent} does not tell ${figures}: ${blind.join(" and ")} cannot end this run. Bound it by ${others.join(", ")} instead.`;
}
