import { describe, expect, test } from "bun:test";
import type { RunStats } from "../../src/core/what-if/run-stats.ts";
import type { Course, WhatIf } from "../../src/core/what-if/what-if-types.ts";
import { statsLines } from "../../src/view/stats-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { columns } from "../../src/view/text/text.ts";
import { whatIfLines } from "../../src/view/what-if-lines.ts";

const course: Course = {
  iterations: 5,
  calls: 5,
  cost_usd: 2.2,
  estimated_usd: null,
  tokens: 9000,
  ms: 2_400_000,
  changing: 4,
  commits: 2,
  boxes_ticked: 1,
};
const end = { stop_reason: "stagnation_detected", exit_code: 3, sentence: "Nothing\u001b[31m changed." } as const;
const bound = {
  stop_reason: "max_iterations",
  exit_code: 4,
  sentence: "All 5 allowed iterations are used up.",
} as const;

const ends: WhatIf = {
  result: "ends",
  changed: [{ setting: "MAX_ITERATIONS", from: null, to: 5 }],
  divergence: { seq: 231, at: "", iteration: 6, rule: "max_iterations", sentence: bound.sentence },
  end: bound,
  course,
  rest: { ...course, iterations: 4, cost_usd: 1.9, ms: 1_920_000, commits: 3, boxes_ticked: 2 },
};

function lines(answer: WhatIf, width = 200): string[] {
  const report = { run: "0003-20260304-120000", started_by: "cli", recorded: { ...course, iterations: 9, end } };
  return whatIfLines({ ...report, what_if: [answer] }, { style: style(false), width });
}

describe("a run under other settings", () => {
  test("tells what was, what would have been, where they part, and what is saved and lacking", () => {
    expect(lines(ends)).toEqual([
      "Run 0003 with MAX_ITERATIONS=5 (was none)",
      "Recorded  9 iterations · $2.20 · 40 min. stagnation_detected: Nothing changed.",
      "What if   5 iterations · $2.20 · 40 min. max_iterations: All 5 allowed iterations are used up.",
      "Ends      iteration 6, event 231, by max_iterations.",
      "          It saves 4 iterations · $1.90 · 32 min, and loses 3 commits and 2 ticked boxes.",
    ]);
  });

  test("says that nobody knows what follows where it goes on, and names the defaults of another policy", () => {
    const sentence = "It would not have ended here (Nothing changed for too long).";
    const changed = [
      { setting: "CB_NO_PROGRESS_THRESHOLD", from: 3, to: 6, follows: true },
      { setting: "DONE_POLICY", from: "signals", to: "evidence" },
    ] as const;
    const divergence = { seq: 90, at: "", iteration: 9, rule: "stagnation_detected", sentence } as const;
    expect(lines({ ...ends, result: "goes_on", end: null, changed: [...changed], divergence })).toEqual([
      "Run 0003 with DONE_POLICY=evidence (was signals) and its defaults CB_NO_PROGRESS_THRESHOLD=6 (was 3)",
      "Recorded  9 iterations · $2.20 · 40 min. stagnation_detected: Nothing changed.",
      "What if   5 iterations · $2.20 · 40 min and more, which nobody knows.",
      "Goes on   iteration 9, event 90, by stagnation_detected.",
      "          It would not have ended here (Nothing changed for too long). It goes on beyond the record.",
    ]);
  });

  test.each([40, 80, 120])("fits %i columns", (width) => {
    for (const line of lines(ends, width)) expect(columns(line)).toBeLessThanOrEqual(width);
  });
});

const stats: RunStats = {
  runs: 40,
  done: 9,
  first_at: "2026-03-01T12:00:00.000Z",
  last_at: "2026-03-22T12:00:00.000Z",
  cost_usd: 41.2,
  cost_per_done_usd: 4.58,
  iterations: 200,
  iterations_to_done: { least: 3, median: 7, most: 22 },
  outcomes: Array.from({ length: 14 }, (_, index) => ({
    stop_reason: index === 0 ? "project_complete" : "stagnation_detected",
    exit_code: index === 0 ? 0 : 3,
    runs: 20 - index,
    cost_usd: 2,
  })),
  savings: Array.from({ length: 8 }, (_, index) => ({
    settings: { CB_PERMISSION_DENIAL_THRESHOLD: index },
    runs: 2,
    saved_usd: 3.2,
    saved_iterations: 4,
    cut_working: 1,
    cut_done: 2,
    done_earlier: 3,
    unknown: 4,
    same: 5,
  })),
};

describe("the figures of all runs", () => {
  test.each([40, 80, 120, 200])("take at most 25 lines of %i columns, however the runs ended", (width) => {
    const shown = statsLines(stats, { style: style(true), width, live: false });
    expect(shown.length).toBeLessThanOrEqual(25);
    for (const line of shown) expect(columns(line)).toBeLessThanOrEqual(width);
  });

  test("name outcomes, money, and what each setting would have saved and cut", () => {
    const text = statsLines(stats, { style: style(false), width: 200, live: false }).join("\n");
    expect(text).toContain("Got done    9 of 40, in 3 to 22 iterations, half of them within 7");
    expect(text).toContain("Money       $41.20 in all, $4.58 for each run that got done");
    expect(text).toContain("  20  ✓ project_complete         $2.00");
    expect(text).toContain("  in other ways");
    expect(text).toContain(
      "   $3.20  CB_PERMISSION_DENIAL_THRESHOLD=0 cuts 2 done, 1 still at work; 4 iterations of 2 runs; 3 done earlier; 4 unknown",
    );
  });

  test("of no run say how to start one", () => {
    expect(statsLines({ ...stats, runs: 0 }, { style: style(false), width: 80, live: false })[0]).toBe(
      "There is no finished run here yet.",
    );
  });
});
