/** USD per million tokens of each class. */
export type Price = { input: number; output: number; cache_write: number; cache_read: number };

/** Prices by the beginning of a model's name; the longest that fits counts. */
export type PriceTable = Readonly<Record<string, Price>>;

const price = (input: number, output: number, cache_write: number, cache_read: number): Price => ({
  input,
  output,
  cache_write,
  cache_read,
});

/**
 * List prices of the models that the agents use most, for agents that tell no cost. Sources: the price pages of Anthropic and
 * OpenAI as of June 2026; for later models what programs that follow these pages had in November 2026 (TheKrush/PromptFuel,
 * github/docs), without surcharges for long contexts. A user's own `prices.json` comes before them (docs/interfaces.md "Prices").
 */
export const LIST_PRICES: PriceTable = {
  "claude-opus": price(5, 25, 6.25, 0.5),
  "claude-opus-4-0": price(15, 75, 18.75, 1.5),
  "claude-opus-4-1": price(15, 75, 18.75, 1.5),
  "claude-opus-4-2025": price(15, 75, 18.75, 1.5),
  "claude-opus-5-5": price(4, 20, 5, 0.2),
  "claude-fable": price(10, 50, 12.5, 1),
  "claude-sonnet": price(3, 15, 3.75, 0.3),
  "claude-sonnet-5": price(2, 10, 2.5, 0.2),
  "claude-haiku": price(1, 5, 1.25, 0.1),
  "claude-haiku-5-5": price(0.1, 0.5, 0.125, 0.01),
  "gpt-5": price(1.25, 10, 1.25, 0.125),
  "gpt-5-mini": price(0.25, 2, 0.25, 0.025),
  "gpt-5-nano": price(0.05, 0.4, 0.05, 0.005),
  // As in gpt-5-2025-08-07, which would begin like gpt-5.2.
  "gpt-5-20": price(1.25, 10, 1.25, 0.125),
  "gpt-5-2": price(1.75, 14, 1.75, 0.175),
  "gpt-5-3": price(1.75, 14, 1.75, 0.175),
  "gpt-5-4": price(2.5, 15, 2.5, 0.25),
  "gpt-5-4-mini": price(0.75, 4.5, 0.75, 0.075),
  "gpt-5-4-nano": price(0.2, 1.25, 0.2, 0.02),
  "gpt-5-4-pro": price(30, 180, 30, 30),
  "gpt-5-5": price(5, 30, 5, 0.5),
  "gpt-5-5-pro": price(30, 180, 30, 30),
  "gpt-5-6": price(4, 20, 5, 0.4),
  "gpt-5-6-terra": price(2, 12, 2.5, 0.2),
  "gpt-5-6-luna": price(0.2, 1.2, 0.25, 0.02),
  "gpt-6-sol": price(2, 10, 2.5, 0.2),
  "gpt-6-luna": price(0.1, 0.5, 0.125, 0.01),
  "gpt-6-astra": price(10, 50, 12.5, 1),
  "gpt-6-1-sol": price(2, 10, 2.5, 0.1),
  "gpt-6-1-terra": price(1, 5, 1.25, 0.05),
  "gpt-4-1": price(2, 8, 2, 0.5),
};

/**
 * The price of a model; null for an unknown one. A provider before the name (`anthropic/…`) and dots in it do not matter, neither
 * there nor here: of two rows for the same beginning the later counts, which is the user's.
 */
export function priceOf(model: string | null, prices: PriceTable): Price | null {
  const name = comparable(model ?? "");
  let best: { start: string; price: Price } | null = null;
  for (const [key, price] of Object.entries(prices)) {
    const start = comparable(key);
    if (start !== "" && name.startsWith(start) && start.length >= (best?.start.length ?? 0)) best = { start, price };
  }
  return best?.price ?? null;
}

function comparable(model: string): string {
  return (model.split("/").at(-1) ?? "").toLowerCase().replaceAll(".", "-");
}
