import { addUsage, noUsage, type Spending } from "../../core/journal/usage.ts";
import type { LandedWork } from "../../core/report/landed.ts";
import type { StatusReport } from "../../core/report/status-report.ts";
import { stopTone } from "../../core/stop/stop-tone.ts";
import { count } from "../../core/text/count.ts";
import { truncate } from "../../core/text/truncate.ts";
import { NEEDS_YOU } from "../../core/words.ts";
import { nameOf } from "../process-lines.ts";
import { PROOF } from "../proof-words.ts";
import { diff, text, time } from "../report/html.ts";
import { cost, duration, tokenCount } from "../text/figures.ts";
import { END_MARKS } from "../text/marks.ts";
import { needItem } from "./need-item.ts";

/** Work that landed, and what its user did with it. */
export type MorningWork = LandedWork & { taken_back: boolean; accepted: boolean };

/** A project since the last look; `report` is null if it cannot be read, and `fault` says why. */
export type MorningProject = {
  id: string;
  project: string;
  report: StatusReport | null;
  fault: string | null;
  landed: MorningWork[];
  /** What each iteration since spent, and the ISO time of its end. */
  spent: { at: string; usage: Spending; worker: string | null }[];
};

export type Morning = {
  /** ISO time of the last look; a day ago before the first. */
  since: string;
  is_first: boolean;
  projects: MorningProject[];
};

const SHOWN = 200;
const TASK_CHARS = 300;

/**
 * What landed since the user last looked, what needs them first.
 * @param control whether anything may be changed from the page
 */
export function morningPage(morning: Morning, control: boolean): string {
  const { projects, since, is_first } = morning;
  const all = projects.flatMap(({ landed }) => landed).filter(isThere);
  const times = projects.flatMap(({ landed, spent }) => [...landed, ...spent].map(({ at }) => at));
  const until = [since, ...times].toSorted().at(-1) ?? since;
  const needs = projects.reduce((sum, { report }) => sum + (report?.needs.length ?? 0), 0);
  const spent = cost(sumOf(projects.flatMap((one) => one.spent)));
  const facts = [
    `${is_first ? "the last day, from" : "since"} ${time(since)}`,
    `${all.length} landed`,
    spent === null ? "" : `${spent} spent`,
    needs === 0 ? "" : `${count(needs, "thing")} for you`,
  ];
  const seen =
    control && until > since
      ? `<div class="buttons"><button type="button" data-do="seen" data-seen="${text(until)}">Seen: from here on only what is new</button></div>`
      : "";
  const body = projects.map((one) => projectPart(one, control)).join("");
  const rest = projects.every(isQuiet) ? `<p class="facts">Nothing landed and nothing was spent.</p>` : "";
  return `<h1>Since you last looked</h1><p class="facts">${facts.filter((fact) => fact !== "").join(" · ")}</p>${seen}
${needsPart(projects)}${body}${rest}`;
}

/** A run without a plan that failed is told of, but it landed nothing. */
function isThere({ taken_back, end }: MorningWork): boolean {
  return !taken_back && (end === null || stopTone(end.reason, end.exit_code) === "good");
}

function isQuiet({ landed, spent, fault }: MorningProject): boolean {
  return landed.length === 0 && spent.length === 0 && fault === null;
}

function sumOf(all: MorningProject["spent"]): Spending {
  return all.reduce<Spending>((sum, { usage }) => addUsage(sum, usage), noUsage());
}

function needsPart(projects: readonly MorningProject[]): string {
  const items = projects.flatMap(({ id, report }) =>
    (report?.needs ?? []).map((need) => {
      const run = text(report?.run ?? "");
      const link = `<a href="#/run/${id}/${run}">${text(nameOf({ project: report?.project ?? "" }))}</a>`;
      const place = ` data-project="${id}" data-run="${run}"`;
      return needItem(need, { live: report?.pid != null, link, place });
    }),
  );
  if (items.length === 0) return "";
  return `<section class="needs" aria-labelledby="morning-needs"><h2 id="morning-needs">${NEEDS_YOU} (${items.length})</h2><ul>${items.join("")}</ul></section>`;
}

function projectPart(one: MorningProject, control: boolean): string {
  if (isQuiet(one)) return "";
  const { id, project, landed, spent, fault } = one;
  const open = landed.filter(({ accepted }) => !accepted).toReversed();
  const accepted = landed.filter((work) => work.accepted).toReversed();
  const sum = cost(sumOf(spent));
  const facts = [
    `${landed.filter(isThere).length} landed`,
    count(spent.length, "iteration"),
    ...(sum === null ? [] : [sum]),
  ];
  const list = (works: readonly MorningWork[]) =>
    `<ul class="landed">${works
      .slice(0, SHOWN)
      .map((work) => workCard(work, id, control))
      .join(
        "",
      )}</ul>${works.length > SHOWN ? `<p class="facts">and ${works.length - SHOWN} more: ralph report</p>` : ""}`;
  return `<section class="morning" data-project="${id}" aria-label="${text(nameOf({ project }))}"><h2>${text(nameOf({ project }))}</h2><p class="facts">${facts.join(" · ")}</p>
${fault === null ? "" : `<p class="bad">It cannot be read: ${text(truncate(fault, 400))}</p>`}${open.length === 0 ? "" : list(open)}
${accepted.length === 0 ? "" : `<details class="accepted"><summary>${accepted.length} accepted</summary>${list(accepted)}</details>`}</section>`;
}

function workCard(work: MorningWork, project: string, control: boolean): string {
  const { tasks, run, first_iteration: first, last_iteration: last, end, taken_back, target } = work;
  const mark = end === null ? END_MARKS.good : END_MARKS[stopTone(end.reason, end.exit_code)];
  const tone = end === null ? "good" : stopTone(end.reason, end.exit_code);
  const names = tasks.length === 0 ? ["a box that has no recorded name"] : tasks;
  const title = names.map((name) => text(truncate(name, TASK_CHARS))).join("<br>");
  const range = first === last ? `iteration ${first}` : `iterations ${first}–${last}`;
  const spent = cost(work.usage);
  const facts = [
    `<a href="#/run/${project}/${text(run)}">run ${text(run.split("-")[0] ?? run)}</a>`,
    target === null ? range : `landed on <code>${text(truncate(target.branch, 80))}</code>`,
    ...(end === null ? [] : [text(end.reason)]),
    time(work.at),
    ...(target === null ? [duration(work.wall_ms)] : []),
    ...(work.tokens === 0 ? [] : [tokenCount(work.tokens)]),
    ...(spent === null ? [] : [spent]),
    diff(work.lines_added, work.lines_removed),
  ];
  const back = taken_back ? `<p class="warn">Taken back.</p>` : "";
  return `<li class="card work" data-project="${project}" data-run="${text(run)}" data-mark="${work.mark}" data-at="${text(work.at)}" data-name="${text(truncate(names[0] ?? "", TASK_CHARS))}"${work.ticked ? ` data-task="${text(tasks[0] ?? "")}"` : ""}>
<h3><span class="${tone}" aria-hidden="true">${mark}</span> ${title}</h3>${back}
<p class="facts">${facts.filter((fact) => fact !== "").join(" · ")}</p>${proof(work)}${taken_back ? "" : buttons(work, control)}</li>`;
}

/** What the work rests on: its checks, a review, looks; or that nothing but the agent's word does. */
function proof({ gates, review, looks, end, target }: MorningWork): string {
  const lines = [
    ...gates.map(({ command, ok, tests }) => {
      const counted =
        tests === null ? "" : ` · ${count(tests.passed, "test")}${tests.failed > 0 ? `, ${tests.failed} failed` : ""}`;
      return `<li><span class="${ok ? "good" : "bad"}">${ok ? END_MARKS.good : END_MARKS.bad} ${ok ? "green" : "red"}</span> <code>${text(truncate(command, 160))}</code>${counted}</li>`;
    }),
    ...(review === null ? [] : [`<li>review: ${text(truncate(review, 300))}</li>`]),
    ...looks.map((look) => `<li>look: ${text(truncate(look, 300))}</li>`),
  ];
  if (target !== null)
    return `<p class="facts">Proof: ${target.tested ? "the gates were green on exactly this commit" : "none, it was landed untested"}</p>`;
  if (lines.length === 0) return `<p class="facts">Proof: ${PROOF[end?.proof === "review" ? "review" : "word"]}</p>`;
  return `<ul class="proof" aria-label="Proof">${lines.join("")}</ul>`;
}

function buttons({ accepted, stays, ticked, tasks, end }: MorningWork, control: boolean): string {
  const of = `: ${text(truncate(tasks[0] ?? "", 80))}`;
  const button = (what: string, word: string, more = "") =>
    `<button type="button" data-do="${what}" aria-label="${word}${of}"${more}>${word}</button>`;
  const all = [
    ticked ? button("diff", "Diff", ` aria-expanded="false"`) : "",
    control && !accepted ? button("accept", "Accept") : "",
    control ? button("comment", "Comment") : "",
    control && stays === null && ticked ? button("undo", "Undo") : "",
  ].join("");
  const why =
    control && stays !== null && end === null
      ? `<p class="facts">It cannot be taken back alone: ${text(stays)}.</p>`
      : "";
  return `<div class="buttons">${all}</div>${why}`;
}
