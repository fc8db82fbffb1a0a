import { totalTokens, usdOf } from "../../core/journal/usage.ts";
import { agentNames, countedIterations, isOfOthers, type Report } from "../../core/report/report-types.ts";
import { stopTone } from "../../core/stop/stop-tone.ts";
import { count } from "../../core/text/count.ts";
import { money } from "../../core/text/money.ts";
import { NEEDS_YOU } from "../../core/words.ts";
import { needHead } from "../needs.ts";
import { cost, duration, tokenClasses, tokens } from "../text/figures.ts";
import { BROKE_OFF, END_MARKS } from "../text/marks.ts";
import { diff, text, time } from "./html.ts";
import { stepAfter } from "./step-after.ts";

/** Agent and models, times, the end, and the figures of the whole run. */
export function summary(report: Report, live: boolean): string {
  return `${title(report)}<button type="button" id="theme" aria-label="Theme: as the system">◐</button></header>
<main>
${overview(report, live)}`;
}

/** The beginning of the head: what the run is called, and its agent, models and times. */
export function title(report: Report): string {
  const facts = [
    report.task === null ? "" : text(report.project_name),
    `run ${text(report.run)}`,
    ...agentNames(report).map(text),
    time(report.started_at),
    `ralph ${text(report.version)}`,
  ];
  return `<header class="top"><div><h1>${text(report.title)}</h1>
<p class="facts">${facts.filter((fact) => fact !== "").join(" · ")}</p></div>
`;
}

/** What needs a person, the end, the next step, and the figures of the whole run. */
export function overview(report: Report, live: boolean): string {
  return `${needs(report)}${outcome(report, live)}
${next(report)}<section class="tiles" aria-label="Figures">${tiles(report).map(tile).join("")}</section>
`;
}

function outcome(report: Report, live: boolean): string {
  const { stop_reason, exit_code, sentence } = report;
  if (stop_reason === null) {
    const word = live ? "● still running" : `${END_MARKS.bad} ${BROKE_OFF}`;
    const explanation = live
      ? "This is its progress so far."
      : "The end of this run is not recorded; the next one recovers it.";
    return `<p class="outcome ${live ? "" : "warn"}"><b>${word}</b>${explanation}</p>`;
  }
  const tone = stopTone(stop_reason, exit_code);
  return `<p class="outcome ${tone}"><b>${END_MARKS[tone]} ${text(stop_reason)}</b>${text(sentence ?? "")}</p>`;
}

/** The next task, and the step that leads on. */
function next({ next: ahead }: Report): string {
  if (ahead === null) return "";
  const words = (step: string) =>
    ahead.commands.reduce(
      (html, command) => html.replace(text(command), (shown) => `<code>${shown}</code>`),
      text(step),
    );
  const step = stepAfter(ahead);
  const lines = [
    ahead.task === null ? "" : `<p>Next: <b>${text(ahead.task)}</b></p>`,
    step === null ? "" : `<p>${words(step)}</p>`,
  ].join("");
  return lines === "" ? "" : `<section class="next" aria-label="Next">${lines}</section>\n`;
}

/** What needs a person, each with its words and the commands that answer it. */
function needs({ needs: all }: Report): string {
  if (all.length === 0) return "";
  const items = all.map(
    (need) =>
      `<li><p class="facts">${text(needHead(need))}</p><p>${text(need.text)}</p>${need.commands.map((command) => `<code>${text(command)}</code>`).join(" ")}</li>`,
  );
  return `<section class="needs" aria-labelledby="needs"><h2 id="needs">${NEEDS_YOU} (${all.length})</h2><ul>${items.join("")}</ul></section>\n`;
}

type Tile = [name: string, value: string, more: string];

function tile([name, value, more]: Tile): string {
  return `<div><span>${name}</span><b>${value}</b><small>${more}</small></div>`;
}

function tiles(report: Report): Tile[] {
  const { usage, iterations, plan } = report;
  const counted = countedIterations(report);
  const spent = cost(usage);
  const ticked = report.tasks.reduce((sum, { boxes }) => sum + boxes, 0);
  const moved = iterations.filter((row) => row.progress).length;
  const gates = report.gates.reduce(
    (all, { passed, failed }) => ({ passed: all.passed + passed, failed: all.failed + failed }),
    {
      passed: 0,
      failed: 0,
    },
  );
  const all: (Tile | null)[] = [
    isOfOthers(report) && counted > 0
      ? ["iterations", String(counted), count(report.calls, "call")]
      : iterations.length === 0
        ? ["calls", String(report.calls), count(report.tools, "tool")]
        : ["iterations", String(counted), `${moved} with progress · ${count(report.calls, "call")}`],
    plan === null || plan.total === 0
      ? null
      : ["plan", `${plan.checked}/${plan.total}`, `${ticked} ticked in this run`],
    [
      "time",
      duration(report.wall_ms),
      isOfOthers(report)
        ? ""
        : `agent ${duration(report.agent_ms)}${report.waited_ms > 0 ? ` · waited ${duration(report.waited_ms)}` : ""}`,
    ],
    spent === null
      ? null
      : ["cost", spent, counted === 0 ? "" : `${money((usdOf(usage) ?? 0) / counted)} an iteration`],
    totalTokens(usage) === 0 ? null : ["tokens", tokens(totalTokens(usage)), tokenClasses(usage)],
    isOfOthers(report)
      ? null
      : [
          "changes",
          count(report.files_changed, "file"),
          [diff(report.lines_added, report.lines_removed), count(report.commits, "commit")]
            .filter((part) => part !== "")
            .join(" · "),
        ],
    gates.passed + gates.failed === 0
      ? null
      : [
          "gates",
          `${gates.passed}/${gates.passed + gates.failed}`,
          gates.failed === 0 ? "all green" : `${gates.failed} red`,
        ],
  ];
  return all.filter((entry) => entry !== null);
}
