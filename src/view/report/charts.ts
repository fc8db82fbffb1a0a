import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/durations.ts";
import { totalTokens, usdOf } from "../../core/journal/usage.ts";
import { countedIterations, type Report } from "../../core/report/report-types.ts";
import { count } from "../../core/text/count.ts";
import { money } from "../../core/text/money.ts";
import { truncate } from "../../core/text/truncate.ts";
import { cost as costText, duration, tokenClasses, tokens } from "../text/figures.ts";
import { type Bucket, bucketsOf, perColumn, sum } from "./bucket.ts";
import { type ChartOptions, columnChart, markChart, stepChart } from "./chart.ts";
import { diff } from "./html.ts";

/** More rows of gates would make this chart higher than the others. */
const GATES_SHOWN = 5;
/** The characters that fit beside a row of gates. */
const GATE_CHARS = 50;

type Card = { title: string; figure: string; legend: [tone: string, name: string][]; svg: string };

/** The charts of a run, each in a card; charts without data are left out. */
export function charts(report: Report): string {
  if (report.iterations.length === 0) return "";
  const buckets = bucketsOf(report.iterations);
  const cards = [progress, cost, tokenUse, wall, changes, gates].map((draw) => draw(report, buckets));
  const drawn = cards.filter((card) => card !== null).map(card);
  const per = perColumn(report.iterations.length);
  const note = per === 1 ? "" : `<p class="facts">A column stands for ${per} iterations and links to the first.</p>`;
  return `<section class="charts" aria-label="Charts">${drawn.join("")}${note}</section>\n`;
}

function card({ title, figure, legend, svg }: Card): string {
  const names = legend.map(([tone, name]) => `<span class="key ${tone}">${name}</span>`).join("");
  return `<figure><figcaption><b>${title}</b><span>${figure}</span></figcaption>${svg}<div class="legend">${names}</div></figure>`;
}

function progress({ iterations, plan }: Report, buckets: readonly Bucket[]): Card | null {
  if (plan === null || plan.total === 0) return null;
  const values = buckets.map(({ rows, label, href }) => {
    const known = rows.findLast((row) => row.plan !== null)?.plan;
    const value = known?.checked ?? 0;
    return { value, href, title: `${label}: ${value} of ${count(known?.total ?? plan.total, "box", "boxes")}` };
  });
  const svg = stepChart(values, plan.total, options(iterations, "Boxes of the plan", plainNumber));
  return {
    title: "Progress",
    figure: `${plan.checked} of ${count(plan.total, "box", "boxes")}`,
    legend: [
      ["c1", "boxes ticked"],
      ["goal", "all of them"],
    ],
    svg,
  };
}

function cost(report: Report, buckets: readonly Bucket[]): Card | null {
  const { iterations, usage } = report;
  const spent = costText(usage);
  if (spent === null) return null;
  const columns = buckets.map((bucket) => {
    const value = sum(bucket, (row) => usdOf(row.usage));
    return { title: `${bucket.label}: ${money(value)}`, href: bucket.href, parts: [{ value, tone: "c1" }] };
  });
  const svg = columnChart(columns, options(iterations, "Cost in USD", dollars));
  const each = money((usdOf(usage) ?? 0) / Math.max(1, countedIterations(report)));
  return { title: "Cost", figure: `${spent} · ${each} each`, legend: [["c1", "USD"]], svg };
}

function tokenUse({ iterations, usage }: Report, buckets: readonly Bucket[]): Card | null {
  if (totalTokens(usage) === 0) return null;
  const columns = buckets.map((bucket) => {
    const input = sum(bucket, (row) => row.usage.input_tokens);
    const output = sum(bucket, (row) => row.usage.output_tokens);
    const written = sum(bucket, (row) => row.usage.cache_creation_tokens);
    const read = sum(bucket, (row) => row.usage.cache_read_tokens);
    const classes = tokenClasses({
      input_tokens: input,
      output_tokens: output,
      cache_creation_tokens: written,
      cache_read_tokens: read,
    });
    return {
      title: `${bucket.label}: ${classes}`,
      href: bucket.href,
      parts: [
        { value: input, tone: "c1" },
        { value: output, tone: "c2" },
        { value: written + read, tone: "c3" },
      ],
    };
  });
  const svg = columnChart(columns, options(iterations, "Tokens", compactNumber));
  const legend: Card["legend"] = [
    ["c1", `in ${tokens(usage.input_tokens ?? 0)}`],
    ["c2", `out ${tokens(usage.output_tokens ?? 0)}`],
    ["c3", `cache ${tokens((usage.cache_creation_tokens ?? 0) + (usage.cache_read_tokens ?? 0))}`],
  ];
  return { title: "Tokens", figure: `${tokens(totalTokens(usage))}`, legend, svg };
}

function wall({ iterations, wall_ms, agent_ms, waited_ms }: Report, buckets: readonly Bucket[]): Card {
  const [unit, per] = timeUnit(Math.max(...buckets.map((bucket) => sum(bucket, (row) => row.wall_ms))));
  const columns = buckets.map((bucket) => {
    const all = sum(bucket, (row) => row.wall_ms);
    const agent = Math.min(
      all,
      sum(bucket, (row) => row.agent_ms),
    );
    const waited = Math.min(
      all - agent,
      sum(bucket, (row) => row.waited_ms),
    );
    return {
      title: `${bucket.label}: ${duration(all)}, the agent ${duration(agent)}${waited > 0 ? `, waiting ${duration(waited)}` : ""}`,
      href: bucket.href,
      parts: [
        { value: agent / per, tone: "c1" },
        { value: (all - agent - waited) / per, tone: "c2" },
        { value: waited / per, tone: "c3" },
      ],
    };
  });
  const svg = columnChart(
    columns,
    options(iterations, "Time", (value) => (value === 0 ? "0" : `${plainNumber(value)} ${unit}`)),
  );
  const legend: Card["legend"] = [
    ["c1", "agent"],
    ["c2", "gates and the rest"],
  ];
  // A wait between two iterations is in no row.
  if (iterations.some((row) => row.waited_ms > 0)) legend.push(["c3", "waiting"]);
  const spent = [duration(wall_ms), `agent ${duration(agent_ms)}`];
  if (waited_ms > 0) spent.push(`waited ${duration(waited_ms)}`);
  return { title: "Time", figure: spent.join(" · "), legend, svg };
}

/** The unit of a time scale, and its length in ms. */
function timeUnit(longestMs: number): [name: string, ms: number] {
  if (longestMs >= 2 * HOUR_MS) return ["h", HOUR_MS];
  return longestMs >= 2 * MINUTE_MS ? ["min", MINUTE_MS] : ["s", SECOND_MS];
}

function changes({ iterations, ...report }: Report, buckets: readonly Bucket[]): Card | null {
  if (report.lines_added + report.lines_removed === 0) return null;
  const columns = buckets.map((bucket) => {
    const added = sum(bucket, (row) => row.lines_added);
    const removed = sum(bucket, (row) => row.lines_removed);
    return {
      title: `${bucket.label}: +${added} −${removed}`,
      href: bucket.href,
      parts: [
        { value: added, tone: "good" },
        { value: -removed, tone: "bad" },
      ],
    };
  });
  const svg = columnChart(
    columns,
    options(iterations, "Lines changed by the agent's tools", (value) => plainNumber(Math.abs(value))),
  );
  const legend: Card["legend"] = [
    ["good", "lines written"],
    ["bad", "lines removed"],
  ];
  return { title: "Changes", figure: diff(report.lines_added, report.lines_removed), legend, svg };
}

function gates({ iterations, ...report }: Report, buckets: readonly Bucket[]): Card | null {
  if (report.gates.length === 0) return null;
  const rows = report.gates.slice(0, GATES_SHOWN).map(({ command }) => ({
    name: truncate(command, GATE_CHARS),
    marks: buckets.map((bucket) => {
      const ran = bucket.rows.flatMap((row) => row.gates.filter((gate) => gate.command === command));
      const failed = ran.filter(({ ok }) => !ok).length;
      const outcome = ran.length === 0 ? "not run" : failed === 0 ? "green" : `${failed} of ${ran.length} red`;
      return { passed: ran.length - failed, failed, title: `${bucket.label}: ${outcome}`, href: bucket.href };
    }),
  }));
  const passed = report.gates.reduce((all, gate) => all + gate.passed, 0);
  const ran = report.gates.reduce((all, gate) => all + gate.passed + gate.failed, 0);
  const legend: Card["legend"] = [
    ["good", "green"],
    ["bad", "red"],
    ["none", "not run"],
  ];
  const svg = markChart(rows, options(iterations, "Gates", plainNumber));
  const more = report.gates.length - rows.length;
  const figure = `${passed} of ${ran} green${more > 0 ? ` · ${more} more not drawn` : ""}`;
  return { title: "Gates", figure, legend, svg };
}

function options(rows: Report["iterations"], label: string, format: (value: number) => string): ChartOptions {
  const [first, last] = [rows[0]?.number ?? 1, rows.at(-1)?.number ?? 1];
  return { label, format, first, last, per: perColumn(rows.length) };
}

function plainNumber(value: number): string {
  return value >= 10_000 ? compactNumber(value) : String(Math.round(value * 10) / 10);
}

/** A count on a scale of round numbers: `50k`. */
function compactNumber(value: number): string {
  return tokens(value).replace(".0", "");
}

/** Money on a scale, without needless decimals. */
function dollars(value: number): string {
  if (value === 0) return "0";
  if (value < 0.1) return `$${Number(value.toPrecision(2))}`;
  return value < 1000 ? money(value) : `$${compactNumber(value)}`;
}
