import type { Usage } from "../../src/driver.ts";

/** Prices in USD per million tokens of a model of the middle class, as its vendor publishes them (2026). */
const PRICE = { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 };

/** What a conversation begins with: system prompt, tools, and reading the project (chosen; recordings show 20k to 35k). */
export const FRESH_TOKENS = 25_000;
/** Turns of one call, at least and at most; each reads the whole conversation from the cache (recordings: 5 to 30). */
const TURNS = { least: 5, most: 30 };
const USUAL_TURNS = 13;
const OUTPUT_TOKENS = 3_000;
/** The CLI compacts a conversation of this size, to that size. */
const WINDOW_TOKENS = 180_000;
const COMPACTED_TOKENS = 40_000;

export type SimulatedCall = {
  /** Tokens of the conversation before it. */
  context: number;
  /** Tokens that a call of the usual length adds. */
  growth: number;
  isFresh: boolean;
  /** From 0 to below 1: how long the call is. */
  luck: number;
};

/** The tokens and the money of one call, and the conversation's tokens after it. */
export function usageOfCall({ context, growth, isFresh, luck }: SimulatedCall): { usage: Usage; context: number } {
  // Most calls are short, a few long.
  const turns = Math.round(TURNS.least + (TURNS.most - TURNS.least) * luck ** 2);
  const added = Math.round((growth * turns) / USUAL_TURNS);
  const read = turns * (context + added / 2);
  const written = added + (isFresh ? FRESH_TOKENS : 0);
  const cost =
    (500 * PRICE.input + OUTPUT_TOKENS * PRICE.output + written * PRICE.cacheWrite + read * PRICE.cacheRead) / 1e6;
  const grown = context + added;
  return {
    usage: {
      input_tokens: 500,
      output_tokens: OUTPUT_TOKENS,
      cache_read_tokens: Math.round(read),
      cache_creation_tokens: written,
      cost_usd: cost,
      duration_ms: 120_000,
      turns,
      model: "simulated",
    },
    context: grown > WINDOW_TOKENS ? COMPACTED_TOKENS : grown,
  };
}
