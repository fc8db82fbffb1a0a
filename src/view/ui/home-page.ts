import type { StatusReport } from "../../core/report/status-report.ts";
import { count } from "../../core/text/count.ts";
import { truncate } from "../../core/text/truncate.ts";
import { NEEDS_YOU } from "../../core/words.ts";
import { needHead } from "../needs.ts";
import { byUrgency, nameOf, projectWords, shortHome } from "../process-lines.ts";
import { text } from "../report/html.ts";

/** A project on the page; `report` is null if it cannot be read, and `fault` says why. */
export type ProjectCard = { id: string; project: string; report: StatusReport | null; fault: string | null };

/** @param home the user's folder, for short paths */
export type HomeOptions = { now: number; home: string | undefined };

const NEEDS_SHOWN = 3;

/** All projects of the user: what needs a person first, then live runs, then the newest. */
export function homePage(cards: readonly ProjectCard[], options: HomeOptions): string {
  if (cards.length === 0)
    return `<h1>Projects</h1><p class="facts">No project of yours has a run yet. Begin in its folder with: <code>ralph</code></p>`;
  const known = cards.filter((card): card is ProjectCard & { report: StatusReport } => card.report !== null);
  const faulty = cards.filter(({ report }) => report === null);
  const sorted = known.toSorted((a, b) => urgency(a.report) - urgency(b.report) || byUrgency(a.report, b.report));
  const needs = known.reduce((sum, { report }) => sum + report.needs.length, 0);
  const live = known.filter(({ report }) => report.status === "running").length;
  const facts = [count(cards.length, "project"), `${live} live`, needs === 0 ? "" : `${count(needs, "thing")} for you`];
  return `<h1>Projects</h1><p class="facts" data-needs="${needs}">${facts.filter((fact) => fact !== "").join(" · ")}</p>
<ul class="projects">${sorted.map((card) => projectCard(card, options)).join("")}${faulty.map((card) => faultyCard(card, options)).join("")}</ul>`;
}

function urgency({ needs }: StatusReport): number {
  return needs.length > 0 ? 0 : 1;
}

function projectCard({ id, report }: ProjectCard & { report: StatusReport }, { now, home }: HomeOptions): string {
  const { isLive, word, more } = projectWords(report, now);
  const name = text(nameOf(report));
  const title = report.run === null ? name : `<a href="#/run/${id}/${text(report.run)}">${name}</a>`;
  const needs = report.needs
    .slice(0, NEEDS_SHOWN)
    .map((need) => `<li><b>${text(needHead(need))}</b> ${text(truncate(need.text, 200))}</li>`);
  const left = report.needs.length - NEEDS_SHOWN;
  const below =
    needs.length === 0
      ? ""
      : `<p class="warn">${NEEDS_YOU} (${report.needs.length})</p><ul>${needs.join("")}${left > 0 ? `<li>and ${left} more</li>` : ""}</ul>`;
  const agent = report.display_name === null ? "" : ` · ${text(report.display_name)}`;
  return `<li class="card${isLive ? " live" : ""}"><h2>${isLive ? `<span class="dot" aria-hidden="true">●</span> ` : ""}${title}</h2>
<p><span class="word">${text(word.replaceAll("_", " "))}</span>${more.map((part) => ` · ${text(truncate(part, 160))}`).join("")}${agent}</p>
<p class="facts"><code>${text(shortHome(report.project, home))}</code></p>${below}</li>`;
}

function faultyCard({ project, fault }: ProjectCard, { home }: HomeOptions): string {
  return `<li class="card"><h2>${text(nameOf({ project }))}</h2><p class="bad">It cannot be read: ${text(truncate(fault ?? "", 400))}</p><p class="facts"><code>${text(shortHome(project, home))}</code></p></li>`;
}
