import { expect, test } from "bun:test";
import { chance } from "../../scripts/proof/chance.ts";
import { wilson } from "../../scripts/proof/figures.ts";

test("a share has the interval of Wilson", () => {
  const { low, high } = wilson(0, 200);
  expect(low).toBeCloseTo(0, 10);
  expect(high).toBeCloseTo(0.0188, 3);
  expect(wilson(50, 100).low).toBeCloseTo(0.4038, 3);
});

test("chance is the same for the same keys, and evenly spread over others", () => {
  const draws = Array.from({ length: 10_000 }, (_, index) => chance("spread", index));
  expect(chance("spread", 7)).toBe(draws[7] ?? -1);
  const tenths = Array.from({ length: 10 }, (_, tenth) => draws.filter((one) => Math.floor(one * 10) === tenth).length);
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(120);
});
