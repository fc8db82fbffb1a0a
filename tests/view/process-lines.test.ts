import { expect, test } from "bun:test";
import { initialState } from "../../src/core/journal/state.ts";
import { parsePlan, planReport } from "../../src/core/plan/fix-plan.ts";
import { statusReport } from "../../src/core/report/status-report.ts";
import { processLines } from "../../src/view/process-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { columns } from "../../src/view/text/text.ts";

test("projects stand below each other whatever their names are written in", () => {
  const names = ["shop", "日本語", "a🎉", "שלום"];
  const reports = names.map((name) => statusReport(initialState(`/p/${name}`), null, false, 0));
  const options = { style: style(false), width: 80, now: 0, hidden: 0, half: [], home: undefined };
  const rows = processLines(reports, options).filter((line) => line.includes("not started"));
  expect(rows.map((line) => columns(line.slice(0, line.indexOf("not started"))))).toEqual(names.map(() => 10));
});

test("what colours a task's words, and turns their direction, is taken out", () => {
  const report = statusReport(initialState("/p/shop"), null, false, 0);
  const plan = planReport("plan.md", parsePlan("- [ ] \u001b[30mhidden\u202e\n", []));
  const options = { style: style(true), width: 80, now: 0, hidden: 0, half: [], home: undefined };
  const [line] = processLines([{ ...report, plan }], options);
  expect(line).toBe("  shop  not started · hidden · plan 0/1");
});
