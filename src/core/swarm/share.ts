/** What each worker of a swarm may use of the bounds that all share. */
import type { State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import { countedUsd } from "../money/spending.ts";
import type { Settings } from "../settings/settings.ts";

const LEAST_USD = 0.01;

/**
 * The flags of `ralph run` that keep a worker to its part of what is left: all of them together then keep to the bound.
 * @param state the swarm's, with what its workers have spent
 * @param workers those that are at work, with this one
 */
export function shareOf(state: State, settings: Settings, workers: number): string[] {
  const part = (most: number | null, used: number, least: number) =>
    most === null ? null : Math.max(least, (most - used) / workers);
  const iterations = part(settings.MAX_ITERATIONS, state.iterations, 1);
  const usd = part(settings.MAX_COST_USD, countedUsd(state.usage, settings), LEAST_USD);
  const tokens = part(settings.MAX_TOKENS, totalTokens(state.usage), 1);
  const calls = Math.max(1, Math.floor(settings.MAX_CALLS_PER_HOUR / workers));
  return [
    `--calls=${calls}`,
    ...(iterations === null ? [] : [`--max-iterations=${Math.floor(iterations)}`]),
    ...(usd === null ? [] : [`--max-cost=${usd.toFixed(2)}`]),
    ...(tokens === null ? [] : [`--max-tokens=${Math.floor(tokens)}`]),
  ];
}
