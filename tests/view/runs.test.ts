import { expect, test } from "bun:test";
import type { RunReceipt } from "../../src/core/report/run-receipt.ts";
import { byteSize } from "../../src/core/text/byte-size.ts";
import { runLines } from "../../src/view/runs.ts";
import { style } from "../../src/view/text/style.ts";
import { columns } from "../../src/view/text/text.ts";

const noon = new Date(2026, 2, 4, 12, 0, 0).getTime();
const plain = { style: style(false), now: new Date(noon + 3_600_000).toISOString() };
const receipt: RunReceipt = {
  run: "0001-20260304-120000",
  started_at: new Date(noon).toISOString(),
  ended_at: new Date(noon + 185_000).toISOString(),
  driver: "demo",
  display_name: "Demo agent",
  started_by: "cli",
  task: null,
  status: "finished",
  stop_reason: "plan_complete",
  exit_code: 0,
  iterations: 3,
  calls: 3,
  tokens: 12_345,
  cost_usd: 0.4,
  earlier: { iterations: 0, cost_usd: null },
  bytes: 1_400_000,
};
const runs: RunReceipt[] = [
  receipt,
  { ...receipt, run: "0002-20260304-130000", status: "broken_off", stop_reason: null, cost_usd: null, tokens: 0 },
  { ...receipt, run: "0003-20260304-140000", status: "live", stop_reason: null, iterations: 1 },
];

test("each run is one line, the newest last; a live run lasts until now", () => {
  expect(runLines(runs, { ...plain, width: 120 }).join("\n")).toMatchInlineSnapshot(`
    "0001  2026-03-04 12:00  ✓ plan_complete        3 iterations · 3 min 5 s · 12.3k tokens · $0.40 · Demo agent
    0002  2026-03-04 12:00  ✗ broke off            3 iterations · 3 min 5 s · Demo agent
    0003  2026-03-04 12:00  ● live                 1 iteration · 1 h · 12.3k tokens · $0.40 · Demo agent
    3 runs, 4.2 MB"
  `);
});

test("a landing names neither an agent nor iterations, as it has none", () => {
  const landing = { ...receipt, started_by: "land", display_name: "", iterations: 0, tokens: 0, cost_usd: null };
  expect(runLines([landing], { ...plain, width: 120 })[0]).toEndWith("✓ plan_complete        3 min 5 s");
});

test("figures without room on their line stand below it, complete", () => {
  expect(runLines(runs.slice(0, 2), { ...plain, width: 60 }).join("\n")).toMatchInlineSnapshot(`
    "0001  2026-03-04 12:00  ✓ plan_complete
          3 iterations · 3 min 5 s · 12.3k tokens · $0.40 · Demo
          agent
    0002  2026-03-04 12:00  ✗ broke off
          3 iterations · 3 min 5 s · Demo agent
    2 runs, 2.8 MB"
  `);
});

test("the text of a task stands below its run, on one line", () => {
  const task = "Write a poem\nabout \u001b[31mlighthouses, and do it slowly so that nobody can say that it was hasty";
  const [first, second] = runLines([{ ...receipt, task }], { ...plain, width: 120 });
  expect(first).toContain("0001");
  expect(second).toBe(
    "      Write a poem about lighthouses, and do it slowly so that nobody can say that it was hasty",
  );
});

test("a run without a readable start shows only its known figures", () => {
  const nothing = {
    display_name: null,
    started_at: null,
    ended_at: null,
    driver: null,
    started_by: null,
    stop_reason: null,
    iterations: 0,
  };
  const torn: RunReceipt = { ...receipt, ...nothing, status: "broken_off", cost_usd: null, tokens: 0 };
  expect(runLines([torn], { ...plain, width: 80 })[0]).toBe(
    "0001  ?                 ✗ broke off            0 iterations",
  );
});

test.each([40, 80, 200])("the list of runs fits into %d columns", (width) => {
  const lines = runLines(runs, { ...plain, width });
  expect(lines.filter((line) => columns(line) > width)).toEqual([]);
});

test("the list without a run says how to start one", () => {
  expect(runLines([], { ...plain, width: 80 }).at(-1)).toBe("Start one with: ralph");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1400, "1.4 kB"],
  [250_745_869, "251 MB"],
])("%i bytes are shown as %s", (n, shown) => expect(byteSize(n)).toBe(shown));
