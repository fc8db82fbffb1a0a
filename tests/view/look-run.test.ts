/** A stranger's look in every view: a line for its begin, each command and its result. */
import { expect, test } from "bun:test";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { reduce } from "../../src/core/journal/reduce.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import { logEntry } from "../../src/core/state-files/run-log.ts";
import { header } from "../../src/view/dashboard/header.ts";
import { applyEvent, emptyDashboard } from "../../src/view/dashboard/model.ts";
import { iterationReceipt } from "../../src/view/report/iteration-entry.ts";
import { reportPage } from "../../src/view/report/page.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { style } from "../../src/view/text/style.ts";
import {
  agentFinished,
  agentStarted,
  iterationFinished,
  iterationStarted,
  runFinished,
  runStarted,
} from "../core/state-files/script.ts";
import { eventsOf, SECOND, START } from "./sample-run.ts";
import { linesOfRun } from "./shown.ts";

const command = "sh add.sh 2 3 | grep -qx 5";
const process = { pid: 7, group: 7, start_time: null, marker: "m" };
const red: EventBody[] = [
  { type: "gate_started", command, ...process },
  {
    type: "gap_checked",
    command,
    exit_code: 1,
    ms: 40,
    timed_out: false,
    output: "sum is 4\n",
    file: "1-2-check-1.out",
  },
];
const looking: EventBody[] = [
  { ...runStarted(), reviewer: "OpenAI Codex" } as EventBody,
  iterationStarted(1),
  agentFinished(),
  iterationFinished(),
  { type: "look_started", number: 1, call: 2, driver: "codex", display_name: "OpenAI Codex" },
  { ...agentStarted(), purpose: "look", call: 2 } as EventBody,
  { type: "agent_usage", call: 2, ...noUsage(), input_tokens: 1000, cost_usd: 0.5 },
  agentFinished({ call: 2 }),
];
const gap = { command, why: "It must add any numbers." };
const whole = eventsOf([
  ...looking,
  ...red,
  ...red,
  { type: "gap_named", ...gap, exit_code: 1, output: "sum is 4\n" },
  {
    type: "look_finished",
    call: 2,
    result: "gap",
    gap,
    sentence: "OpenAI Codex named a gap: It must add any numbers.",
  },
  { type: "look_started", number: 1, call: 3, driver: "codex", display_name: "OpenAI Codex" },
  {
    type: "look_finished",
    call: 3,
    result: "none",
    gap: null,
    sentence: "OpenAI Codex looked at it and found no gap.",
  },
  runFinished("max_iterations"),
]);
const SAID = "OpenAI Codex named a gap: It must add any numbers.";
const options = { width: 100, style: style(false), shorten: (text: string) => text, live: false };

test("the lines of a run tell of a look what it is, what was checked and what came of it", () => {
  const lines = linesOfRun(whole);
  expect(lines.join(" ").replace(/\s+/g, " ")).toContain("OpenAI Codex looks at it before done");
  const from = lines.indexOf("  Before done is believed, OpenAI Codex looks at the work.");
  expect(lines.slice(from, from + 8)).toEqual([
    "  Before done is believed, OpenAI Codex looks at the work.",
    `  ✗ look: ${command}`,
    "    sum is 4",
    `  ✗ look: ${command}`,
    "    sum is 4",
    "  ⚑ OpenAI Codex named a gap: It must add any numbers.",
    "  Before done is believed, OpenAI Codex looks at the work.",
    "  ⚑ OpenAI Codex looked at it and found no gap.",
  ]);
});

test("the log warns of a gap and its gate, and tells the rest", () => {
  const entries = whole.flatMap((event) => {
    const entry = logEntry(event);
    return entry === null || !/look|gap|gate/i.test(entry.text) ? [] : [`${entry.level} ${entry.text}`];
  });
  expect(entries).toEqual([
    'INFO OpenAI Codex looks at the work before "done" is believed.',
    `WARN A gate from now on: ${command}`,
    `WARN ${SAID}`,
    'INFO OpenAI Codex looks at the work before "done" is believed.',
    "INFO OpenAI Codex looked at it and found no gap.",
  ]);
});

test("the dashboard says that somebody looks, and lists the result", () => {
  const board = eventsOf([...looking, ...red]).reduce(applyEvent, emptyDashboard("/project"));
  const about = { replay: null, alive: true, now: START + 20 * SECOND, width: 80, style: style(false) };
  expect(header({ state: board.state, ...about }).join("\n")).toMatch(/iteration 1.* {2}look/);
  const { activity } = whole.reduce(applyEvent, emptyDashboard("/project"));
  const shown = activity.map(({ tone, text }) => `${tone} ${text}`);
  for (const line of ["quiet OpenAI Codex looks at the work", `bad look ${command}, 0.0 s`, `warn ${SAID}`])
    expect(shown).toContain(line);
  expect(shown).toContain("good OpenAI Codex looked at it and found no gap.");
});

test("the report counts the call and the cost of a look, and says what came of it", () => {
  const report = buildReport(whole);
  expect(report).toMatchObject({ calls: 3, usage: { cost_usd: 0.5 }, gates: [] });
  expect(report.iterations).toMatchObject([
    { calls: 3, looks: [SAID, "OpenAI Codex looked at it and found no gap."], review: null, gates: [] },
  ]);
  const text = reportLines(report, options).join(" ").replace(/\s+/g, " ");
  expect(text).toContain(SAID);
  const about = { ...options, style: "s{}", script: "run()", hash: (text: string) => text };
  const page = [...reportPage(report, whole, about)].join("");
  expect(page).toContain(`<p class="note said">⚑ ${SAID}</p>`);
});

test("the report says once what two looks came to", () => {
  const report = buildReport([...whole.slice(0, -1), ...whole.slice(-2)]);
  const none = "OpenAI Codex looked at it and found no gap.";
  expect(report.iterations).toMatchObject([{ looks: [SAID, none, none] }]);
  const page = report.iterations.map(iterationReceipt).join("");
  const lines = reportLines({ ...report, sentence: null }, options)
    .join(" ")
    .replace(/\s+/g, " ");
  expect([page, lines].map((text) => text.split(none).length - 1)).toEqual([1, 1]);
});

test("a gap is a red gate of the state until its command is green", () => {
  const fold = (events: readonly RalphEvent[]) => events.reduce(reduce, initialState("/project"));
  expect(fold(whole).gates).toMatchObject([{ command, ok: false, gap: gap.why, tail: "sum is 4\n" }]);
  const green: EventBody = { type: "gate_finished", command, exit_code: 0, ms: 1, timed_out: false, output: "" };
  const seq = whole.length + 1;
  const later = { v: 1, seq, at: whole[0]?.at ?? "", run: "r", iteration: 1, ...green } as const;
  expect(fold([...whole, later]).gates).toMatchObject([{ command, ok: true, gap: gap.why }]);
});
