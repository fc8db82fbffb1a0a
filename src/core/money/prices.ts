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
 * OpenAI as of June 2026. A user's own `prices.json` comes before them (docs/interfaces.md "Prices").
 */
export const LIST_PRICES: PriceTable = {
  "claude-opus": price(5, 25, 6.25, 0.5),
  "claude-opus-4-0": price(15, 75, 18.75, 1.5),
  "claude-opus-4-1": price(15, 75, 18.75, 1.5),
  "claude-opus-4-2025": price(15, 75, 18.75, 1.5),
  "claude-sonnet": price(3, 15, 3.75, 0.3),
  "claude-haiku": price(1, 5, 1.25, 0.1),
  "gpt-5": price(1.25, 10, 1.25, 0.125),
  "gpt-5-mini": price(0.25, 2, 0.25, 0.025),
  "gpt-5-nano": price(0.05, 0.4, 0.05, 0.005),
  "gpt-5-2": price(1.75, 14, 1.75, 0.175),
  "gpt-5-3": price(1.75, 14, 1.75, 0.175),
  "gpt-4-1": price(2, 8, 2, 0.5),
};

/** The price of a model; null for an unknown one. A provider before the name (`anthropic/…`) and dots in it do not matter. */
export function priceOf(model: string | null, prices: PriceTable): Price | null {
  const name = comparable(model ?? "");
  const [best] = Object.keys(prices)
    .filter((start) => start !== "" && name.startsWith(comparable(start)))
    .sort((a, b) => b.length - a.length);
  return best === undefined ? null : (prices[best] ?? null);
}

function comparable(model: string): string {
  return (model.split("/").at(-1) ?? "").toLowerCase().replaceAll(".", "-");
}
