import { describe, expect, test } from "bun:test";
import { createFloodPace, openRuntime, SELDOM } from "../../../src/effects/process/flood-pace.ts";

/** What a runtime is told while calls with so many lines come, in batches of 50. */
function toldFor(...calls: number[]) {
  const told: (number | "collect")[] = [];
  const runtime = { compile: (scale: number) => told.push(scale), collect: () => told.push("collect") };
  for (const lines of calls) {
    const pace = createFloodPace(() => runtime);
    for (let come = 0; come < lines; come += 50) pace.lines(Math.min(50, lines - come));
    pace.end();
  }
  return told;
}

describe("a call", () => {
  test("of few lines leaves the runtime alone", () => expect(toldFor(199, 199, 0)).toEqual([]));

  test("of many lines has what they run compiled at once, and all as ever at its end", () =>
    expect(toldFor(200)).toEqual([1, SELDOM]));

  test("that goes on has nothing else compiled", () => expect(toldFor(500)).toEqual([1, 1_000, SELDOM]));

  test("has its garbage collected every 20,000 lines", () =>
    expect(toldFor(41_000)).toEqual([1, 1_000, "collect", "collect", SELDOM]));

  test("after a flood begins as the first one did", () =>
    expect(toldFor(300, 100, 300)).toEqual([1, SELDOM, 1, SELDOM]));

  test("that comes at once passes no step", () => {
    const told: (number | "collect")[] = [];
    const pace = createFloodPace(() => ({ compile: (scale) => told.push(scale), collect: () => told.push("collect") }));
    pace.lines(70_000);
    pace.lines(1);
    expect(told).toEqual([1, 1_000, "collect"]);
  });
});

test("a runtime that has nothing to be told is asked once", () => {
  let asked = 0;
  const pace = createFloodPace(() => {
    asked += 1;
    return null;
  });
  pace.lines(300);
  pace.lines(60_000);
  pace.end();
  expect(asked).toBe(1);
});

test("this runtime can be told both", () => {
  const runtime = openRuntime();
  expect(runtime).not.toBeNull();
  runtime?.compile(1);
  runtime?.collect();
});
