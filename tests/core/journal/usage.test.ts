import { expect, test } from "bun:test";
import {
  addUsage,
  believableUsage,
  describeTokens,
  freshTokens,
  noUsage,
  totalTokens,
} from "../../../src/core/journal/usage.ts";

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

test.each<[unknown]>([[-5], [-0.001], [Number.NaN], [Number.POSITIVE_INFINITY], [1e300], ["12"], [{}]])(
  "%p is believed of no figure",
  (value) => {
    const told = { ...usage, cost_usd: value, output_tokens: value } as typeof usage;
    const { usage: believed, doubted } = believableUsage(told);
    expect<unknown>(believed).toEqual({ ...usage, cost_usd: null, output_tokens: null });
    expect(doubted).toEqual([`output_tokens ${String(value)}`, `cost_usd ${String(value)}`]);
  },
);

test("large figures, zero and unknown ones are believed", () => {
  const told = { ...usage, cost_usd: 0, output_tokens: 9e9, duration_ms: 86_400_000, turns: null };
  expect(believableUsage(told)).toEqual({ usage: told, doubted: [] });
});
