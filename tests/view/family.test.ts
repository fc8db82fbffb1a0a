/** One family: an end, a gate, a commit and money look the same wherever they are shown. */
import { describe, expect, test } from "bun:test";
import { initialState } from "../../src/core/journal/state.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import type { RunReceipt } from "../../src/core/report/run-receipt.ts";
import { statusReport } from "../../src/core/report/status-report.ts";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import { STOP_REASONS } from "../../src/core/stop/stop-reasons.ts";
import { money } from "../../src/core/text/money.ts";
import { activityLines } from "../../src/view/dashboard/activity-panel.ts";
import { header } from "../../src/view/dashboard/header.ts";
import { applyEvent, emptyDashboard } from "../../src/view/dashboard/model.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { summary } from "../../src/view/report/summary.ts";
import { runLines } from "../../src/view/runs.ts";
import { statusLines } from "../../src/view/status-lines.ts";
import { gateMark } from "../../src/view/text/marks.ts";
import { style } from "../../src/view/text/style.ts";
import { iterationFinished, iterationStarted, play, runFinished, runStarted } from "../core/state-files/script.ts";
import { linesOfRun } from "./shown.ts";

const noColor = { style: style(false), width: 120 };

/** The mark before the end's one name, in each view. */
function marksOf(reason: StopReason): Record<string, string> {
  const { exit: exit_code, text: sentence } = STOP_REASONS[reason];
  const end = runFinished(reason, { exit_code, sentence });
  const steps = play(runStarted(), iterationStarted(1), iterationFinished(), end);
  const events = steps.map(({ event }) => event);
  const state = steps.at(-1)?.state ?? initialState("/p");
  const report = buildReport(events);
  const now = Date.parse(state.updated_at);
  const receipt: RunReceipt = {
    ...{ run: "0001-x", started_at: null, ended_at: null, driver: null, display_name: null, started_by: "cli" },
    ...{ task: null, status: "finished", stop_reason: reason, exit_code, iterations: 1, calls: 1, tokens: 0 },
    ...{ cost_usd: null, earlier: { iterations: 0, cost_usd: null }, bytes: 1 },
  };
  const shown: Record<string, readonly string[]> = {
    live: linesOfRun(events),
    dashboard: header({ ...noColor, state, replay: null, alive: false, now }),
    report: reportLines(report, { ...noColor, shorten: (text) => text, live: false }),
    page: [summary(report, false)],
    activity: activityLines(events.reduce(applyEvent, emptyDashboard("/p")).activity, 0, 120, 9, noColor.style),
    runs: runLines([receipt], { ...noColor, now: state.updated_at }),
    status: statusLines(statusReport(state, null, false, now), { ...noColor, now }),
  };
  const before = new RegExp(`(\\S) ${reason}`);
  const marks = Object.entries(shown).map(([view, lines]) => [view, before.exec(lines.join("\n"))?.[1] ?? "none"]);
  return Object.fromEntries(marks);
}

describe("every view marks the end of a run", () => {
  const MARKS = {
    "✓": ["project_complete", "plan_complete", "proven_complete"],
    "■": ["stopped_by_user", "interrupted", "terminated", "max_iterations", "max_cost", "stop_at"],
    "!": ["blocked", "waits_for_answer", "denied_repeatedly", "stagnation_detected", "usage_limit", "gate_weakened"],
    "✗": ["internal_error", "environment_error", "files_deleted", "agent_unusable", "infrastructure_failures"],
  } as const;
  const cases = Object.entries(MARKS).flatMap(([mark, reasons]) => reasons.map((reason) => [reason, mark] as const));
  test.each(cases)("by %s with %s", (reason, mark) => {
    const views = ["live", "dashboard", "activity", "report", "page", "runs", "status"];
    expect(marksOf(reason)).toEqual(Object.fromEntries(views.map((view) => [view, mark])));
  });
});

test.each([
  [{ ok: null }, "·"],
  [{ ok: true }, "✓"],
  [{ ok: false }, "✗"],
  [{ ok: false, weakened: true }, "!"],
  [{ ok: true, weakened: true }, "!"],
])("the gate %j has the mark %s", (gate, mark) => {
  expect(gateMark(gate, style(false))).toBe(mark);
});

test.each([
  [0, "$0.00"],
  [0.0034, "$0.0034"],
  [0.034, "$0.0340"],
  [0.07, "$0.07"],
  [0.1, "$0.10"],
  [2.482_999_99, "$2.48"],
  [1234.5, "$1234.50"],
])("%d dollars are written %s", (usd, words) => {
  expect(money(usd)).toBe(words);
});
