import { describe, expect, test } from "bun:test";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { estimateUsd } from "../../../src/core/money/estimate.ts";
import { LIST_PRICES, priceOf } from "../../../src/core/money/prices.ts";

describe("the price of a model", () => {
  test.each([
    ["claude-sonnet-4-5-20250929", "claude-sonnet"],
    ["anthropic/claude-sonnet-4.6", "claude-sonnet"],
    ["claude-opus-4-1-20250805", "claude-opus-4-1"],
    ["Claude-Opus-4.8", "claude-opus"],
    ["gpt-5.3-codex", "gpt-5-3"],
    ["gpt-5-mini", "gpt-5-mini"],
    ["gpt-5-2025-08-07", "gpt-5-20"],
    ["gpt-5.2-2025-12-11", "gpt-5-2"],
  ] as const)("%s is that of the longest known beginning, %s", (model, known) => {
    expect(priceOf(model, LIST_PRICES)).toBe(LIST_PRICES[known] ?? null);
  });

  test("of a later version is not that of the first one", () => {
    const usd = (model: string) => priceOf(model, LIST_PRICES)?.output ?? null;
    expect(
      ["gpt-5", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5", "gpt-5.5-pro", "gpt-5.6-terra", "gpt-6.1-sol"].map(usd),
    ).toEqual([10, 15, 4.5, 30, 180, 12, 10]);
    expect(["claude-sonnet-4-6", "claude-sonnet-5", "claude-opus-4-8", "claude-opus-5-5"].map(usd)).toEqual([
      15, 10, 25, 20,
    ]);
  });

  test("does not change with the day that its name may end in", () => {
    const undated = Object.keys(LIST_PRICES).filter((model) => !/-20(?:25)?$/.test(model));
    for (const model of undated.flatMap((name) => [name, `${name}-2025-08-07`, `${name}-20260807`]))
      expect([model, priceOf(model, LIST_PRICES)]).toEqual([model, LIST_PRICES[model.replace(/-202\d.*/, "")] ?? null]);
  });

  test("is the user's own, however its name is written, unless a longer beginning of the model's name has one", () => {
    const own = { input: 7, output: 7, cache_write: 7, cache_read: 7 };
    for (const name of ["gpt-5.2", "GPT-5-2", "openai/gpt-5.2"])
      expect(priceOf("gpt-5.2-codex", { ...LIST_PRICES, [name]: own })).toBe(own);
    const wide = { ...LIST_PRICES, "anthropic/claude-opus": own };
    expect(priceOf("claude-opus-4-8", wide)).toBe(own);
    expect(priceOf("claude-opus-4-1", wide)).toBe(LIST_PRICES["claude-opus-4-1"] ?? null);
  });

  test("is unknown for a model that no row begins", () => {
    expect([priceOf("llama-4", LIST_PRICES), priceOf(null, LIST_PRICES), priceOf("", LIST_PRICES)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe("the estimate of a call", () => {
  const usage = {
    ...noUsage(),
    input_tokens: 1_000_000,
    output_tokens: 100_000,
    cache_creation_tokens: 200_000,
    cache_read_tokens: 3_000_000,
  };

  test("adds each class at its own price", () => {
    expect(estimateUsd(usage, "claude-sonnet-4-6", LIST_PRICES)).toBeCloseTo(3 + 1.5 + 0.75 + 0.9, 10);
  });

  test("takes the model that answered before the one that was asked for", () => {
    const answered = { ...usage, model: "claude-haiku-4-5" };
    expect(estimateUsd(answered, "claude-sonnet-4-6", LIST_PRICES)).toBeCloseTo(1 + 0.5 + 0.25 + 0.3, 10);
  });

  test("is none where the agent tells the cost, or tells no tokens, or the model is unknown", () => {
    expect(estimateUsd({ ...usage, cost_usd: 0 }, "gpt-5", LIST_PRICES)).toBeNull();
    expect(estimateUsd(noUsage(), "gpt-5", LIST_PRICES)).toBeNull();
    expect(estimateUsd(usage, "llama", LIST_PRICES)).toBeNull();
  });
});
