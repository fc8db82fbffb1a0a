import type { StatusReport } from "../../core/report/status-report.ts";
import { count } from "../../core/text/count.ts";
import { truncate } from "../../core/text/truncate.ts";
import { NEEDS_YOU } from "../../core/words.ts";
import { byUrgency, nameOf, projectWords, shortHome } from "../process-lines.ts";
import { text } from "../report/html.ts";
import { agentFacts, type CardFacts, cardMore } from "./card-facts.ts";
import { needItem } from "./need-item.ts";

/** A project on the page; `report` is null if it cannot be read, and `fault` says why. */
export type ProjectCard = {
  id: string;
  project: string;
  report: StatusReport | null;
  fault: string | null;
  /** Why its newest run ended short of done, in a sentence; null for none. */
  end: string | null;
  facts: CardFacts;
  /** What its agent said and did last. */
  lines: readonly string[];
};

/** @param home the user's folder, for short paths */
export type HomeOptions = { now: number; home: string | undefined };

const NEEDS_SHOWN = 3;

/** All projects of the user: what needs a person first, then live runs, then the newest. */
export function homePage(cards: readonly ProjectCard[], options: HomeOptions): string {
  if (cards.length === 0)
    return `<h1>Projects</h1><p class="facts">No project of yours has a run yet. Begin in its folder with: <code>ralph</code><span class="steers">, or here: <a href="#/setup">set a project up</a></span></p>`;
  const known = cards.filter((card): card is ProjectCard & { report: StatusReport } => card.report !== null);
  const faulty = cards.filter(({ report }) => report === null);
  const sorted = known.toSorted((a, b) => urgency(a.report) - urgency(b.report) || byUrgency(a.report, b.report));
  const needs = known.reduce((sum, { report }) => sum + report.needs.length, 0);
  const live = known.filter(({ report }) => report.status === "running").length;
  const facts = [count(cards.length, "project"), `${live} live`, needs === 0 ? "" : `${count(needs, "thing")} for you`];
  const linkOf = (project: string) => {
    const card = known.find((one) => one.project === project);
    return card?.report.run == null ? null : `#/run/${card.id}/${text(card.report.run)}`;
  };
  return `<div class="home-head"><div><h1>Projects</h1><p class="facts" data-needs="${needs}">${facts.filter((fact) => fact !== "").join(" · ")}</p></div>${LAYOUTS}</div>
<nav class="tabs" aria-label="Projects as tabs">${sorted.map(tab).join("")}</nav>
<ul class="projects">${sorted.map((card) => projectCard(card, options, linkOf)).join("")}${faulty.map((card) => faultyCard(card, options)).join("")}</ul>`;
}

/** Which of them is pressed is what the browser remembers. */
const LAYOUTS = `<div class="layouts" role="group" aria-label="Layout">${[
  ["list", "List"],
  ["tabs", "Tabs"],
  ["grid", "Grid"],
]
  .map(([name, word]) => `<button type="button" data-layout="${name}" aria-pressed="false">${word}</button>`)
  .join("")}<button type="button" data-do="notify" aria-pressed="false">Notify me</button></div>`;

function tab({ id, report }: ProjectCard & { report: StatusReport }): string {
  const mark =
    report.needs.length > 0
      ? ` <span class="warn">?</span>`
      : report.status === "running"
        ? ` <span class="dot">●</span>`
        : "";
  return `<button type="button" data-tab="${id}" aria-pressed="false">${text(nameOf(report))}${mark}</button>`;
}

function urgency({ needs }: StatusReport): number {
  return needs.length > 0 ? 0 : 1;
}

function projectCard(
  { id, report, end, facts, lines }: ProjectCard & { report: StatusReport },
  { now, home }: HomeOptions,
  linkOf: (project: string) => string | null,
): string {
  const { isLive, word, more } = projectWords(report, now);
  const name = text(nameOf(report));
  const title = report.run === null ? name : `<a href="#/run/${id}/${text(report.run)}">${name}</a>`;
  const place = ` data-project="${id}" data-run="${text(report.run ?? "")}"`;
  const needs = report.needs
    .slice(0, NEEDS_SHOWN)
    .map((need) => needItem({ ...need, text: truncate(need.text, 200) }, { live: isLive, place, of: nameOf(report) }));
  const left = report.needs.length - NEEDS_SHOWN;
  const below =
    needs.length === 0
      ? ""
      : `<p class="warn">${NEEDS_YOU} (${report.needs.length})</p><ul class="asks">${needs.join("")}${left > 0 ? `<li>and ${left} more</li>` : ""}</ul>`;
  // What needs the user says itself why the run ended.
  const why = end === null || needs.length > 0 ? "" : `<p>${text(truncate(end, 300))}</p>`;
  const agent = agentFacts(report, facts);
  return `<li class="card${isLive ? " live" : ""}" data-card="${id}"><h2>${isLive ? `<span class="dot" aria-hidden="true">●</span> ` : ""}${title}</h2>
<p><span class="word">${text(word.replaceAll("_", " "))}</span>${more.map((part) => ` · ${text(truncate(part, 160))}`).join("")}</p>
${agent === "" ? "" : `<p class="facts">${agent}</p>`}<p class="facts where"><code>${text(shortHome(report.project, home))}</code> <a href="#/project/${id}">plan and settings</a></p>${why}${below}${cardMore(report, facts, { id, lines, linkOf })}</li>`;
}

function faultyCard({ id, project, fault }: ProjectCard, { home }: HomeOptions): string {
  const name = text(nameOf({ project }));
  return `<li class="card"><h2>${name}</h2><p class="bad">It cannot be read: ${text(truncate(fault ?? "", 400))}</p><p class="facts"><code>${text(shortHome(project, home))}</code></p><div class="buttons" data-project="${id}" data-name="${name}"><button type="button" class="steers" data-do="forget" aria-label="Remove: ${name}">Remove</button></div></li>`;
}
