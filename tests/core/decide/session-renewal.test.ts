import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { addConversationCost, type ConversationCost, isRenewalDue } from "../../../src/core/decide/session-renewal.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { seed } from "../../seed.ts";

const auto = { SESSION_RENEW: "auto" } as const;
const afterTask = { plan_delta: 1, commits: [] };
const inTask = { plan_delta: 0, commits: [] };
const costs = (...amounts: (number | null)[]): ConversationCost[] => amounts.map((cost) => ({ cost, turns: null }));

describe("a conversation is renewed with `auto`", () => {
  test("once a call costs more than the mean of its calls, its dear beginning included", () => {
    expect(isRenewalDue(costs(10, 4, 5), afterTask, auto)).toBe(false);
    expect(isRenewalDue(costs(10, 4, 6, 9), afterTask, auto)).toBe(true);
  });

  test("in the middle of a task only when it has become far dearer", () => {
    expect(isRenewalDue(costs(10, 4, 6, 9), inTask, auto)).toBe(false);
    expect(isRenewalDue(costs(10, 4, 6, 20), inTask, auto)).toBe(true);
  });

  test("by the price of a turn, since a long task is no long conversation", () => {
    const long = [
      { cost: 10, turns: 10 },
      { cost: 30, turns: 60 },
    ];
    expect(isRenewalDue(long, afterTask, auto)).toBe(false);
    const dear = [
      { cost: 10, turns: 10 },
      { cost: 30, turns: 15 },
    ];
    expect(isRenewalDue(dear, afterTask, auto)).toBe(true);
  });

  test("never while an agent does not tell what its calls use, or after one call", () => {
    expect(isRenewalDue(costs(10, null, 99), afterTask, auto)).toBe(false);
    expect(isRenewalDue(costs(10), afterTask, auto)).toBe(false);
    expect(isRenewalDue([], afterTask, auto)).toBe(false);
  });

  test("never while its calls grow cheaper", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 10, noNaN: true }), { minLength: 1, maxLength: 30 }),
        (amounts) => {
          const cheaper = amounts.toSorted((a, b) => b - a);
          expect(isRenewalDue(costs(...cheaper), afterTask, auto)).toBe(false);
        },
      ),
      { seed },
    );
  });
});

test("a conversation is renewed after a number of iterations, always, or never, as the user says", () => {
  expect(isRenewalDue(costs(1, 1), inTask, { SESSION_RENEW: 3 })).toBe(false);
  expect(isRenewalDue(costs(1, 1, 1), inTask, { SESSION_RENEW: 3 })).toBe(true);
  expect(isRenewalDue(costs(1), null, { SESSION_RENEW: "always" })).toBe(true);
  expect(isRenewalDue(costs(1, 99), afterTask, { SESSION_RENEW: "never" })).toBe(false);
});

describe("the cost of an iteration", () => {
  const usage = { ...noUsage(), input_tokens: 100, output_tokens: 10, cache_read_tokens: 1000, turns: 3 };

  test("is the money, where the agent tells it", () => {
    expect(addConversationCost([], { ...usage, cost_usd: 0.5 })).toEqual([{ cost: 0.5, turns: 3 }]);
  });
  test("is its tokens, weighted by what they usually cost", () => {
    expect(addConversationCost([], { ...usage, cache_creation_tokens: 40 })).toEqual([{ cost: 300, turns: 3 }]);
  });
  test("is unknown without both", () => {
    expect(addConversationCost([], noUsage())).toEqual([{ cost: null, turns: null }]);
  });
  test("is kept for the newest 50", () => {
    expect(addConversationCost(costs(...Array.from({ length: 50 }, () => 1)), usage)).toHaveLength(50);
  });
});
