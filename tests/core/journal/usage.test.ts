import { expect, test } from "bun:test";
import { addUsage, describeTokens, freshTokens, noUsage, totalTokens } from "../../../src/core/journal/usage.ts";

const usage = {
  ...noUsage(),
  input_tokens: 12,
  output_tokens: 340,
  cache_creation_tokens: 5_000,
  cache_read_tokens: 1_091_200,
};

test("tokens are counted over all classes, or without the cache", () => {
  expect(totalTokens(usage)).toBe(1_096_552);
  expect(freshTokens(usage)).toBe(352);
});

test("tokens are described by class, without those that moved none", () => {
  expect(describeTokens(usage)).toBe("12 in, 340 out, 5,000 cache writes, 1,091,200 cache reads");
  expect(describeTokens({ ...noUsage(), input_tokens: 1, output_tokens: 0 })).toBe("1 in");
});

test("estimates add up, and usage without one has none", () => {
  expect(addUsage({ ...usage, estimated_usd: 0.5 }, usage).estimated_usd).toBe(0.5);
  expect(addUsage({ ...usage, estimated_usd: 0.5 }, { ...usage, estimated_usd: 0.25 }).estimated_usd).toBe(0.75);
  expect(addUsage(usage, usage)).not.toHaveProperty("estimated_usd");
});

test("money adds up without the dust of binary fractions", () => {
  const paid = (cost_usd: number) => ({ ...noUsage(), cost_usd });
  expect(addUsage(paid(0.1), paid(0.2)).cost_usd).toBe(0.3);
  expect(addUsage({ ...usage, estimated_usd: 0.1 }, { ...usage, estimated_usd: 0.2 }).estimated_usd).toBe(0.3);
});
