import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import { activityLines } from "../../src/view/dashboard/activity-panel.ts";
import { compactLines } from "../../src/view/dashboard/compact.ts";
import { applyEvent, emptyDashboard } from "../../src/view/dashboard/model.ts";
import { lastPanel } from "../../src/view/dashboard/panels.ts";
import { iterationHead } from "../../src/view/report/iteration-entry.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { iterationMark } from "../../src/view/text/iteration-mark.ts";
import { style } from "../../src/view/text/style.ts";
import { evidence, iterationFinished, iterationStarted, play, runStarted } from "../core/state-files/script.ts";
import { linesOfRun } from "./shown.ts";

type Finished = Parameters<typeof iterationFinished>[0];

const view = { style: style(false), shorten: (text: string) => text, width: 80 };

/** The mark of an iteration in each view. */
function marksOf(finished: Finished): Record<string, string> {
  const bodies: EventBody[] = [runStarted(), iterationStarted(1), iterationFinished(finished)];
  const events = play(...bodies).map(({ event }) => event);
  const dashboard = events.reduce(applyEvent, emptyDashboard("/p"));
  const { state, rows, activity } = dashboard;
  const panel = { ...view, state, rows, now: 0, end: 0 };
  const report = buildReport(events);
  const [row] = rows;
  const [receipt] = report.iterations;
  if (row === undefined || receipt === undefined) throw new Error("no iteration");
  const markIn = (lines: readonly string[]) =>
    lines.join("\n").match(/([✗■!✓•]) (?:1: )?(?:Denied|Progress|Nothing)/)?.[1] ?? "";
  return {
    live: markIn(linesOfRun(events)),
    tone: activity.at(-1)?.tone ?? "",
    activity: markIn(activityLines(activity, 0, 80, 1, view.style)),
    panel: markIn(lastPanel(panel, false)),
    compact: markIn(compactLines(panel, null)),
    list: iterationMark(row, view.style),
    report:
      reportLines(report, { ...view, live: false })
        .join("\n")
        .match(/1 ([✗■!✓•])/)?.[1] ?? "",
    page: iterationHead(receipt, (text) => text, false).match(/"mark \w+"[^>]*>(.)</)?.[1] ?? "",
  };
}

const all = (mark: string, tone: string) => ({
  live: mark,
  tone,
  activity: mark,
  panel: mark,
  compact: mark,
  list: mark,
  report: mark,
  page: mark,
});

describe("every view marks an iteration", () => {
  test("that was denied with !, even if files changed", () => {
    const verdict = { rule: "permission_denied", sentence: "Denied: Bash(terraform apply); 1 file changed." };
    expect(marksOf({ verdict, evidence: { ...evidence, progress: true } })).toEqual(all("!", "warn"));
  });
  test("with progress with a tick", () => {
    const verdict = { rule: "progress", sentence: "Progress: 1 file changed." };
    expect(marksOf({ verdict, evidence: { ...evidence, progress: true } })).toEqual(all("✓", "good"));
  });
  test("without progress with a dot", () => {
    const verdict = { rule: "no_progress", sentence: "Nothing changed." };
    expect(marksOf({ verdict, evidence: { ...evidence, progress: false } })).toEqual(all("•", "warn"));
  });
});

test("a denial is yellow", () => {
  const denied = { outcome: "answered", progress: true, rule: "permission_denied" } as const;
  expect(iterationMark(denied, style(true))).toBe("\u001b[33m!\u001b[39m");
});
