import type { Usage } from "../../driver.ts";
import { type PriceTable, priceOf } from "./prices.ts";

const MILLION = 1_000_000;

/**
 * What a call probably cost in USD, by its tokens and the price list. Null where the agent tells the cost itself, or neither
 * model nor tokens are known.
 * @param model the one that was asked for; the one that answered comes before it
 */
export function estimateUsd(usage: Usage, model: string | null, prices: PriceTable): number | null {
  if (usage.cost_usd !== null) return null;
  const { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens } = usage;
  if (input_tokens === null && output_tokens === null) return null;
  const price = priceOf(usage.model ?? model, prices);
  if (price === null) return null;
  return (
    ((input_tokens ?? 0) * price.input +
      (output_tokens ?? 0) * price.output +
      (cache_creation_tokens ?? 0) * price.cache_write +
      (cache_read_tokens ?? 0) * price.cache_read) /
    MILLION
  );
}
