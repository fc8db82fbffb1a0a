/**
 * One run with a denial, a question, a limit and a red gate, on every screen that prints lines. In the snapshots somebody who has
 * never seen it can read what was done, what it cost, what is next and what needs them. The dashboard's stand in dashboard/frame.test.ts.
 */
import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import { reduce } from "../../src/core/journal/reduce.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { needsOf } from "../../src/core/needs/needs.ts";
import { parsePlan, planReport } from "../../src/core/plan/fix-plan.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import { statusReport } from "../../src/core/report/status-report.ts";
import { needLines } from "../../src/view/needs.ts";
import { planLines } from "../../src/view/plan-lines.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { statusLines } from "../../src/view/status-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { columns } from "../../src/view/text/text.ts";
import { analysisOf, evidenceOf } from "../core/given.ts";
import {
  iterationFinished,
  iterationStarted,
  play,
  runFinished,
  runStarted,
  START,
} from "../core/state-files/script.ts";
import { footerOf, linesOfRun } from "./shown.ts";

const TASKS = [
  "Lend a book",
  "Remind by mail",
  "Count the loans of a year and show them as a chart that also works on paper",
] as const;
const counts = (checked: number) => ({ total: 3, checked, unchecked: 3 - checked, blocking_unchecked: 3 - checked });
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const CODES = /\u001b\[([\d;]*)m/g;
const QUESTION = "Which database should I use for the reminders, SQLite or Postgres?";

function iteration(
  number: number,
  about: { text: string; ticked?: string; more?: EventBody[]; rule: string; sentence: string; green?: boolean },
): EventBody[] {
  const { text, ticked, more = [], rule, sentence, green = true } = about;
  const done = number < 4 ? 1 : 2;
  const plan_ticked = ticked === undefined ? [] : [ticked];
  const usage = { ...noUsage(), input_tokens: 20_000, output_tokens: 1000, cost_usd: 0.07 * number };
  const plan = counts(done);
  return [
    { ...iterationStarted(number), plan: counts(number === 1 ? 0 : 1) } as EventBody,
    { type: "agent_text", call: 1, text },
    {
      type: "gate_finished",
      command: "npm test",
      exit_code: green ? 0 : 1,
      ms: 300,
      timed_out: false,
      output: green ? "" : "1 failed",
    },
    ...more,
    { type: "agent_usage", call: 1, ...usage },
    iterationFinished({
      analysis: analysisOf({
        status: "IN_PROGRESS",
        tests_status: "PASSING",
        has_permission_denials: rule === "permission_denied",
        denied_commands: rule === "permission_denied" ? ["Bash(psql -c 'drop table users')"] : [],
      }),
      evidence: evidenceOf({
        plan,
        plan_ticked,
        plan_delta: plan_ticked.length,
        progress: plan_ticked.length > 0,
        commits: ticked === undefined ? [] : ["3bfe261aa"],
        files_changed: ["src/a.js"].slice(0, plan_ticked.length),
        files_changed_count: plan_ticked.length,
        head: "3bfe261aa",
      }),
      verdict: { rule, sentence } as never,
      usage,
      ms: 61_000,
    }),
  ];
}

const PROGRESS = "Progress: 1 file changed, 1 commit, 1 box ticked.";
const bodies: EventBody[] = [
  runStarted(undefined, { PROJECT_NAME: "shelf", MAX_ITERATIONS: 4 }),
  ...iteration(1, { text: "Lend a book is in place.", ticked: TASKS[0], rule: "progress", sentence: PROGRESS }),
  ...iteration(2, {
    text: "I cannot delete the old table.",
    rule: "permission_denied",
    sentence: "Denied: Bash(psql -c 'drop table users'); nothing changed.",
  }),
  ...iteration(3, {
    text: QUESTION,
    more: [{ type: "question_asked", kind: "question", task: TASKS[2], text: QUESTION, parked: false }],
    rule: "no_progress",
    sentence: "The agent asked a question; nothing changed.",
  }),
  {
    type: "wait_started",
    until: new Date(START + 3_600_000).toISOString(),
    why: "usage_limit",
    message: "Usage limit reached",
  },
  { type: "wait_ended", why: "usage_limit" },
  ...iteration(4, {
    text: "Remind by mail is in place.",
    ticked: TASKS[1],
    rule: "progress",
    sentence: PROGRESS,
    green: false,
  }),
];
const end = runFinished("max_iterations", {
  exit_code: 4,
  sentence: "All 4 allowed iterations are used up.",
  iterations: 4,
  calls: 4,
  usage: { ...noUsage(), input_tokens: 80_000, output_tokens: 4000, cost_usd: 0.7 },
});
const events = play(...bodies, end).map(({ event }) => event);
const before = events.slice(0, -1).reduce(reduce, initialState("/p"));
const after = events.reduce(reduce, initialState("/p"));
const now = Date.parse(after.updated_at);
const text = `# To do\n\n${TASKS.map((task, at) => `- [${at < 2 ? "x" : " "}] ${task}\n`).join("")}`;
const plan = parsePlan(text, []);

/** @param color whether the terminal has colour */
function screens(width: number, color: boolean): Record<string, string[]> {
  const options = { style: style(color), width };
  const shorten = (text: string) => text;
  const report = planReport(".ralph/@fix_plan.md", plan);
  return {
    live: [
      ...linesOfRun(events, options),
      "",
      ...footerOf(before, { ...options, now, next: plan.tasks[0] ?? null, takesKeys: true }),
    ],
    status: statusLines(statusReport(after, report, false, now), { ...options, now }),
    inbox: needLines(needsOf(after, { alive: false }), options),
    plan: planLines(report, plan.boxes, options),
    report: reportLines(buildReport(events), { ...options, shorten, live: false }),
  };
}

describe.each([40, 80, 120, 200])("in %d columns", (width) => {
  test("each screen is as it was looked at, and fits", () => {
    const shown = screens(width, false);
    const all = Object.entries(shown).flatMap(([name, lines]) => [`══ ${name}`, ...lines, ""]);
    expect(`\n${all.join("\n")}`).toMatchSnapshot();
    const commands = /ralph |^ *"?your answer/;
    expect(all.filter((line) => columns(line) > width && !commands.test(line))).toEqual([]);
  });

  test("colour adds nothing that is not there without it, and only the terminal's own colours", () => {
    const plain = Object.values(screens(width, false)).flat();
    const coloured = Object.values(screens(width, true)).flat();
    expect(coloured.map((line) => Bun.stripANSI(line))).toEqual(plain);
    // Bold, dim, inverse and six colours: no white, no black, no background, which one of light and dark would hide.
    const codes = new Set(
      coloured
        .join("\n")
        .match(CODES)
        ?.map((code) => code.slice(2, -1)),
    );
    const readable = [1, 2, 7, 22, 27, 31, 32, 33, 34, 36, 39].map(String);
    expect([...codes].filter((code) => !readable.includes(code))).toEqual([]);
    expect(codes.size).toBeGreaterThan(6);
  });
});

test("the colours of each screen in 80 columns", () => {
  const words: Record<string, string> = {
    1: "b",
    2: "dim",
    22: "/",
    31: "red",
    32: "green",
    33: "yellow",
    36: "cyan",
    39: "/",
  };
  const lines = Object.entries(screens(80, true)).flatMap(([name, each]) => [`══ ${name}`, ...each, ""]);
  const named = lines.join("\n").replaceAll(CODES, (_, code: string) => `‹${words[code] ?? code}›`);
  expect(`\n${named}`).toMatchSnapshot();
});
