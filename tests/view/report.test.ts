import { describe, expect, test } from "bun:test";
import type { RalphEvent } from "../../src/core/journal/event.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import type { Report } from "../../src/core/report/report-types.ts";
import { charts } from "../../src/view/report/charts.ts";
import { createEntryWindow } from "../../src/view/report/entry-window.ts";
import { kindsOf } from "../../src/view/report/iteration-entry.ts";
import { reportPage } from "../../src/view/report/page.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { richText } from "../../src/view/report/rich-text.ts";
import { tables } from "../../src/view/report/tables.ts";
import { style } from "../../src/view/text/style.ts";
import { columns } from "../../src/view/text/text.ts";
import {
  evidence,
  iterationFinished,
  iterationStarted,
  play,
  runFinished,
  runStarted,
} from "../core/state-files/script.ts";

const plan = { total: 3, checked: 1, unchecked: 2, blocking_unchecked: 2 };
const ticked = { ...evidence, plan, plan_ticked: ["Say hello, in three languages and with feeling"] };
const events: RalphEvent[] = play(
  runStarted(undefined, { PROJECT_NAME: "greeter" }),
  { type: "note", level: "warn", text: "before all" },
  iterationStarted(1),
  {
    type: "agent_tool_started",
    call: 1,
    tool_id: "t",
    tool: "Write",
    input: { file_path: "/p/a.ts", content: "1\n2\n" },
  },
  {
    type: "agent_text",
    call: 1,
    text: "Text <b>one</b>.\n---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---",
  },
  { type: "gate_finished", command: "npm test", exit_code: 0, ms: 900, timed_out: false, output: "" },
  iterationFinished({
    evidence: ticked,
    verdict: { rule: "progress", sentence: "Progress: 2 files changed in /p, 1 box ticked." },
  }),
  runFinished("stopped_by_user"),
).map(({ event }) => event);
const report = buildReport(events);
const shorten = (text: string) => text.replaceAll("/p", "⌂");

test("a report whose next step is the report names none", () => {
  const done = { task: null, open_tasks: [], step: "See what was done with: ralph report", commands: ["ralph report"] };
  const on = { ...done, step: "Go on with: ralph run", commands: ["ralph run"] };
  const shown = (next: Report["next"]) => [
    reportLines({ ...report, next }, { style: style(false), width: 80, shorten, live: false }).join("\n"),
    [...reportPage({ ...report, next }, events, { style: "", script: "", hash: () => "", shorten, live: false })].join(
      "",
    ),
  ];
  for (const text of shown(done)) expect(text).not.toContain("See what was done");
  for (const text of shown(on)) expect(text).toContain("Go on with:");
});

describe("the page's plan", () => {
  const planOf = (next: Report["next"]) => {
    const options = { style: "", script: "", hash: () => "", shorten, live: false };
    const page = [...reportPage({ ...report, next }, events, options)].join("");
    return /<h2>Plan<\/h2>.*?<\/section>/s.exec(page)?.[0] ?? "";
  };

  test("lists the ticked boxes, then the open ones, the next of them marked", () => {
    const next = { task: "Wave", open_tasks: ["Bow <set aside>", "Wave"], step: null, commands: [] };
    const cells = [...planOf(next).matchAll(/<tr[^>]*><td>(.*?)<\/td>/g)].map(([, cell]) => cell);
    expect(cells).toEqual([
      expect.stringContaining("Say hello, in three languages and with feeling"),
      "○ Bow &lt;set aside&gt;",
      "→ Wave",
    ]);
  });

  test("stands below the next task and the step, whose command is told letter by letter", () => {
    const next = {
      task: "Wave",
      open_tasks: ["Wave"],
      step: "Go on with: ralph run --x='$& <b>'",
      commands: ["ralph run --x='$& <b>'"],
    };
    const page = [
      ...reportPage({ ...report, next }, events, { style: "", script: "", hash: () => "", shorten, live: false }),
    ];
    expect(page.join("")).toContain(
      "<p>Next: <b>Wave</b></p><p>Go on with: <code>ralph run --x=&#39;$&amp; &lt;b&gt;&#39;</code></p>",
    );
  });

  test("of an older run says how many boxes were open, which nobody can name any more", () => {
    expect(planOf(null)).toContain(">2 boxes were open at its end<");
  });
});

describe("ralph report as text", () => {
  test.each([40, 80, 200])("fits into %d columns", (width) => {
    const lines = reportLines(report, { width, style: style(false), shorten, live: false });
    expect(lines.filter((line) => columns(line) > width)).toEqual([]);
  });

  test("has one line per iteration if there is room", () => {
    const lines = reportLines(report, { width: 120, style: style(false), shorten, live: false });
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "greeter  r1 · Claude Code
      ■ stopped_by_user (exit 0)
        Over.

      Iterations
         #          time  tokens     cost     files        lines gates
         1 ✓       4.0 s     150    $0.25   2 files           +2     ✓  Say hello, in three languages and with feeling ·
                                                                        Progress: 2 files changed in ⌂, 1 box ticked.

      Tasks
         ✓ Say hello, in three languages and with feeling
           iteration 1 · 4.0 s · 150 tokens · $0.25 · +2

      Commits
         c1

      Total
        iterations  1, 1 call, 1 tool
        time        7.0 s
        changes     2 files, +2, 1 commit
        plan        1 of 3 done
        gate        npm test: 1 green, 0 red"
    `);
  });

  test("is folded without room", () => {
    const lines = reportLines(report, { width: 40, style: style(false), shorten, live: false });
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "greeter  r1 · Claude Code
      ■ stopped_by_user (exit 0)
        Over.

      Iterations
         1 ✓ 4.0 s  150  $0.25  2 files  +2
             gates ✓
             Say hello, in three languages and
             with feeling · Progress: 2 files
             changed in ⌂, 1 box ticked.

      Tasks
         ✓ Say hello, in three languages and
           with feeling
           iteration 1 · 4.0 s · 150 tokens
           $0.25 · +2

      Commits
         c1

      Total
        iterations  1, 1 call, 1 tool
        time        7.0 s
        changes     2 files, +2, 1 commit
        plan        1 of 3 done
        gate        npm test: 1 green, 0 red"
    `);
  });

  test("says whether a run without an end is live", () => {
    const open = buildReport(events.slice(0, 3));
    const of = (live: boolean) => reportLines(open, { width: 80, style: style(false), shorten, live }).join("\n");
    expect(of(true)).toContain("still running");
    expect(of(false)).toContain("broke off");
  });
});

describe("the report page", () => {
  const options = { style: "s{}", script: "run()", hash: (text: string) => `hash of ${text}`, shorten, live: false };
  const page = [...reportPage(report, events, options)].join("");

  test("allows its own style and script, and nothing else", () => {
    expect(page).toContain(
      "default-src 'none'; style-src 'sha256-hash of s{}'; script-src 'sha256-hash of run()'; base-uri 'none'; form-action 'none'",
    );
    expect(page).not.toMatch(/ style=| on[a-z]+=|https?:/);
  });

  test("escapes the texts of others, and leaves out the status block", () => {
    expect(page).toContain("Text &lt;b&gt;one&lt;/b&gt;.");
    expect(page).not.toContain("RALPH_STATUS");
  });

  test("shows earlier events before the first iteration", () => {
    const [before, first] = [page.indexOf("before all"), page.indexOf('id="i1"')];
    expect(before).toBeGreaterThan(0);
    expect(first).toBeGreaterThan(before);
  });

  test("keeps the order of events: a tool without a result before the text after it", () => {
    expect(page.indexOf("<b>Write</b>")).toBeGreaterThan(0);
    expect(page.indexOf("Text &lt;b")).toBeGreaterThan(page.indexOf("<b>Write</b>"));
  });
});

test("an entry window keeps the start and the end, within its budget", () => {
  const window = createEntryWindow(90);
  for (let n = 0; n < 100; n += 1) window.add(String(n).padStart(10, "."));
  const { head, left, tail } = window.kept();
  expect(head).toHaveLength(6);
  expect(tail.at(-1)).toBe("........99");
  expect(head.length + left + tail.length).toBe(100);
  expect([...head, ...tail].join("").length).toBeLessThanOrEqual(90);
});

test("an entry window keeps a single entry that is too large, rather than none", () => {
  const window = createEntryWindow(10);
  window.add("x".repeat(100));
  expect(window.kept().tail).toHaveLength(1);
});

describe("the HTML of an agent's Markdown", () => {
  test.each([
    ["a `<b>` and **x & y**", "<p>a <code>&lt;b&gt;</code> and <b>x &amp; y</b></p>"],
    ["## Title <i>\n\nwords", "<p><b>Title &lt;i&gt;</b></p><p>words</p>"],
    ["## C# ##", "<p><b>C#</b></p>"],
    ["- one\n- two\n3. three", "<p>• one\n• two\n3. three</p>"],
    ["```ts\na < b\n\nc\n```\nafter", "<pre>a &lt; b\n\nc</pre><p>after</p>"],
    ["````\n```\na\n```\n````\nafter", "<pre>```\na\n```</pre><p>after</p>"],
    ["```\nnever closed", "<pre>never closed</pre>"],
    ["\"'\u001b[31m\u0000", "<p>&quot;&#39;</p>"],
    ["\n\n", ""],
    [
      "before\n| file | `a|b` |\n|---|---:|\n| **x** | 1 < 2 |\n| y |\nafter",
      '<p>before</p><table class="said"><thead><tr><th>file</th><th><code>a|b</code></th></tr></thead><tbody><tr><td><b>x</b></td><td>1 &lt; 2</td></tr><tr><td>y</td></tr></tbody></table><p>after</p>',
    ],
    ["```\n| a |\n|---|\n```", "<pre>| a |\n|---|</pre>"],
  ])("of %j", (source, html) => expect(richText(source)).toBe(html));

  test("leaves a line of unlimited length as text", () => {
    expect(richText("**a ".repeat(5000))).toBe(`<p>${"**a ".repeat(5000)}</p>`);
  });
});

describe("the report's charts", () => {
  const run = (iterations: number) =>
    buildReport(
      play(
        runStarted(),
        ...Array.from({ length: iterations }, (_, index) => [iterationStarted(index + 1), iterationFinished()]).flat(),
      ).map(({ event }) => event),
    );

  test("label their iterations, with round numbers between the ends", () => {
    const drawn = charts(run(100));
    const labels = [...drawn.matchAll(/<text class="(?:first|middle|last)"[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(labels.slice(0, 3)).toEqual(["iteration 1", "50", "100"]);
    expect(drawn).not.toContain("A column stands for");
  });

  test("say how many iterations a column covers", () => {
    expect(charts(run(250))).toContain("A column stands for 3 iterations");
  });

  test("are skipped by the tab key, because the list below has the iterations", () => {
    const links = charts(run(5)).match(/<a [^>]*>/g) ?? [];
    expect(links.length).toBe(5);
    expect(links.filter((link) => !link.includes('tabindex="-1"'))).toEqual([]);
  });
});

test("a report shows a stop by the user neither as a failure nor as unfinished", () => {
  const stopped = buildReport(
    play(
      runStarted(),
      iterationStarted(1),
      { type: "iteration_interrupted", number: 1, why: "stopped" },
      iterationStarted(2),
    ).map(({ event }) => event),
  );
  const [first, second] = stopped.iterations;
  if (first === undefined || second === undefined) throw new Error("two iterations");
  expect(kindsOf(first)).toEqual(["stopped"]);
  const lines = reportLines(stopped, { width: 120, style: style(false), shorten, live: true });
  expect(lines.find((line) => line.includes("Stopped before its end."))).toMatch(/^ {3}1 ■/);
  expect(lines.find((line) => line.includes("Under way."))).toMatch(/^ {3}2 •/);
});

test("a task whose only iteration is open, or broke off with ralph, took a time that nobody knows yet", () => {
  const began = play(runStarted(), iterationStarted(1)).map(({ event }) => event);
  const open = buildReport(began.map((event) => (event.type === "iteration_started" ? { ...event, plan } : event)));
  const lines = reportLines(open, { width: 120, style: style(false), shorten, live: true });
  expect(lines).toContain("     iteration 1");
  expect(tables(open)).not.toContain("0.0 s");
});

describe("the report of a swarm", () => {
  const spent = { iterations: 2, calls: 3, usage: { ...noUsage(), input_tokens: 2000, cost_usd: 0.25 } };
  const told = play(
    runStarted(undefined, { PROJECT_NAME: "greeter" }),
    { type: "task_claimed", task: "x", text: "Wave", worker: "w1", branch: "", session: null },
    { type: "task_released", task: "x", worker: "w1", outcome: "handed_in", why: "", spent },
    runFinished("plan_complete"),
  ).map(({ event }) => event);

  test("tells what its workers did and spent, and no files or tools, which are in other journals", () => {
    const shown = reportLines(buildReport(told), { width: 100, style: style(false), shorten, live: false }).slice(3);
    expect(shown.filter((line) => line !== "")).toEqual([
      "Tasks",
      "   • Wave",
      "     2 iterations · 1.0 s · 2.0k tokens · $0.25",
      "Total",
      "  iterations  2, 3 calls",
      "  time        3.0 s",
      "  tokens      2.0k: 2.0k in",
      "  cost        $0.25",
    ]);
  });

  test("has these on its page too, without a link to iterations that are not on it", () => {
    const options = { style: "", script: "", hash: () => "", shorten, live: false };
    const page = [...reportPage(buildReport(told), told, options)].join("");
    expect(page).toContain("<div><span>iterations</span><b>2</b><small>3 calls</small></div>");
    expect(page).toMatch(/Wave<\/td><td>2<\/td>/);
    expect(page).not.toContain('href="#i0"');
    expect(page).not.toContain("<span>changes</span>");
  });
});
