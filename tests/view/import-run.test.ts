/** An import's run in every view: it has calls but no iteration, and is named an import. */
import { describe, expect, test } from "bun:test";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { reduce } from "../../src/core/journal/reduce.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import { logEntry } from "../../src/core/state-files/run-log.ts";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import { planRecovery } from "../../src/run/recovery.ts";
import { header } from "../../src/view/dashboard/header.ts";
import { applyEvent, emptyDashboard } from "../../src/view/dashboard/model.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { agentFinished, agentStarted, runFinished, runStarted } from "../core/state-files/script.ts";
import { eventsOf, SECOND, START } from "./sample-run.ts";
import { footerOf, linesOfRun } from "./shown.ts";

const plain = style(false);
const usage = { ...noUsage(), input_tokens: 1000, cost_usd: 0.01 };
const answered = agentFinished();
const begun: EventBody[] = [
  { ...runStarted(initialState("/project")), started_by: "import", project: "/project" } as EventBody,
  { type: "import_started", call: 1, document: "prd.md", missing: [] },
  { ...agentStarted(), purpose: "import" } as EventBody,
  { type: "agent_session", call: 1, session_id: "s-1" },
  { type: "agent_usage", call: 1, ...usage },
];
const ended = (stop_reason: StopReason, sentence: string) =>
  runFinished(stop_reason, { sentence, iterations: 0, calls: 2, usage, cost_usd: 0.01 });
const whole = eventsOf([
  ...begun,
  answered,
  { type: "import_started", call: 2, document: "prd.md", missing: ["FR-2", "Paying"] },
  answered,
  ended("import_complete", "prd.md became plan and specs."),
]);

const fold = (events: readonly RalphEvent[]) => events.reduce(reduce, initialState("/project"));

describe("the run of an import", () => {
  test("has lines without iterations and write permissions", () => {
    expect(linesOfRun(whole)).toEqual([
      "ralph 1.0.0  Claude Code · import, reads only",
      "/project",
      "  Reading prd.md.",
      "  The answer leaves out FR-2, Paying: asking once more.",
      "",
      "✓ import_complete (exit 0)",
      "  prd.md became plan and specs.",
      "  2 calls · 8.0 s · 1.0k tokens · $0.01",
      "  Read .ralph/PROMPT.md and the plan, then: ralph run",
    ]);
  });

  test("never suggests to continue as a run after an interrupt", () => {
    const events = eventsOf([...begun, answered, ended("interrupted", "Interrupted. Again: ralph import prd.md")]);
    const told = linesOfRun(events).join("\n");
    expect(told).toContain("Again: ralph import prd.md");
    expect(told).not.toMatch(/ralph run|iteration/);
  });

  test("counts its calls and usage, and leaves the session and limits of runs alone", () => {
    const state = fold(eventsOf(begun));
    expect(state).toMatchObject({ calls: 1, iteration: 0, last_action: "importing", started_by: "import" });
    expect({ calls: state.budget.calls, session: state.session.session_id }).toEqual({ calls: 1, session: null });
    expect(fold(whole)).toMatchObject({ calls: 2, call: null, usage: { input_tokens: 2000 - 1000 } });
  });

  test("is closed by the agent's end alone after a crash", () => {
    const recovery = planRecovery(fold(eventsOf(begun)));
    expect(recovery?.closing.map(({ type }) => type)).toEqual(["agent_finished"]);
    expect(recovery?.interrupted).toBeNull();
  });

  test("is shown as an import in footer, dashboard, log and report", () => {
    const state = fold(eventsOf(begun));
    const now = START + 9 * SECOND;
    expect(footerOf(state, { now }).join("\n")).toMatch(/^. importing · 9 s · 1\.0k tokens/);
    const board = eventsOf(begun).reduce(applyEvent, emptyDashboard("/project"));
    const shown = header({ state: board.state, replay: null, alive: true, now, width: 80, style: plain }).join("\n");
    expect(shown).toContain("importing");
    expect(shown).not.toContain("review");
    expect(board.activity.map(({ text }) => text)).toContain("reading prd.md");
    expect(whole.map((event) => logEntry(event)?.text ?? null)).toContain("Importing prd.md.");
    const report = buildReport(whole);
    expect(report.calls).toBe(2);
    const told = reportLines(report, { width: 80, style: plain, shorten: (text) => text, live: false }).join("\n");
    expect(told).toContain("2 calls");
    expect(told).not.toContain("iteration");
  });
});
