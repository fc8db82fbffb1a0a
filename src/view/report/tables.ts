import type { FileReceipt } from "../../core/report/line-changes.ts";
import type { Report } from "../../core/report/report-types.ts";
import type { TaskReceipt } from "../../core/report/task-receipts.ts";
import { count } from "../../core/text/count.ts";
import { truncate } from "../../core/text/truncate.ts";
import { PROOF } from "../proof-words.ts";
import { cost, duration, tokens } from "../text/figures.ts";
import { diff, text } from "./html.ts";

const TASKS_SHOWN = 200;
const FILES_SHOWN = 15;

/** The cost of each ticked box, the open ones, the gates and what "done" rests on, and the files with most changed lines. */
export function tables({ tasks, files, files_changed, plan, next, gates, proof }: Report): string {
  const open = next?.open_tasks ?? [];
  const unknown = next === null ? (plan?.unchecked ?? 0) : 0;
  return `<div class="tables">${taskTable(tasks, { open, current: next?.task ?? null, unknown })}${fileTable(files, files_changed)}${evidence(gates, proof)}</div>\n`;
}

/** `unknown`: how many boxes were open at the end of an older run, whose plan nobody kept. */
type OpenTasks = { open: readonly string[]; current: string | null; unknown: number };

function taskTable(tasks: readonly TaskReceipt[], { open, current, unknown }: OpenTasks): string {
  if (tasks.length + open.length === 0) return "";
  const rows = tasks.slice(0, TASKS_SHOWN).map((task) => {
    const range =
      task.first_iteration === task.last_iteration
        ? `${task.first_iteration}`
        : `${task.first_iteration}–${task.last_iteration}`;
    // Those of a swarm's workers are in journals of their own.
    const isHere = task.first_iteration > 0;
    const place = isHere ? ` data-first="${task.first_iteration}" data-last="${task.last_iteration}"` : "";
    const iterations = isHere ? `<a href="#i${task.first_iteration}">${range}</a>` : String(task.iterations || "");
    return `<tr${place}><td>${name(task)}</td><td>${iterations}</td><td>${task.wall_ms === 0 ? "" : duration(task.wall_ms)}</td><td>${tokens(task.tokens)}</td><td>${cost(task) ?? ""}</td><td>${diff(task.lines_added, task.lines_removed)}</td></tr>`;
  });
  const left = open
    .slice(0, TASKS_SHOWN)
    .map(
      (task) =>
        `<tr><td>${task === current ? "→" : "○"} ${text(truncate(task, 200))}</td>${"<td></td>".repeat(5)}</tr>`,
    );
  const more = Math.max(0, tasks.length - TASKS_SHOWN) + Math.max(0, open.length - TASKS_SHOWN);
  const below = [
    more > 0 ? `and ${more} more in ralph report --json` : "",
    unknown > 0 ? `${count(unknown, "box was", "boxes were")} open at its end` : "",
  ].filter((words) => words !== "");
  return `<section><h2>Plan</h2><div class="scroll" tabindex="0" role="region" aria-label="Plan"><table class="tasks"><thead><tr><th>task</th><th>iterations</th><th>time</th><th>tokens</th><th>cost</th><th>lines</th></tr></thead><tbody>${[...rows, ...left].join("")}</tbody></table></div>${below.length > 0 ? `<p class="facts">${below.join(" · ")}</p>` : ""}</section>`;
}

function name({ tasks, boxes }: TaskReceipt): string {
  if (boxes === 0 && tasks.length === 0) return `<i>no box ticked since</i>`;
  const mark = boxes === 0 ? "•" : `<span class="good">✓</span>`;
  const known = tasks.map((task) => `${mark} ${text(truncate(task, 200))}`).join("<br>");
  return known === "" ? `<span class="good">✓</span> ${count(boxes, "box", "boxes")}` : known;
}

/** How often each gate was green, and what "done" rests on. */
function evidence(gates: Report["gates"], proof: Report["proof"]): string {
  if (gates.length === 0 && proof === null) return "";
  const rows = gates.map(
    ({ command, passed, failed, flakes, ms }) =>
      `<tr><td><code>${text(truncate(command, 200))}</code></td><td class="good">${passed} green</td><td${failed > 0 ? ' class="bad"' : ""}>${failed} red</td><td>${flakes === 0 ? "" : count(flakes, "flake")}</td><td>${duration(ms)}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? ""
      : `<div class="scroll" tabindex="0" role="region" aria-label="Gates"><table><tbody>${rows.join("")}</tbody></table></div>`;
  const rests = proof === null ? "" : `<p class="facts">Done rests on: ${PROOF[proof]}</p>`;
  return `<section class="evidence"><h2>${rows.length === 0 ? "Proof" : "Gates"}</h2>${table}${rests}</section>`;
}

function fileTable(files: readonly FileReceipt[], changed: number): string {
  if (files.length === 0) return "";
  const most = Math.max(1, ...files.map(({ added, removed }) => added + removed));
  const rows = files
    .slice(0, FILES_SHOWN)
    .map(
      (file) =>
        `<tr><td><code>${text(truncate(file.path, 120))}</code></td><td>${diff(file.added, file.removed)}</td><td>${bar(file, most)}</td></tr>`,
    );
  return `<section><h2>Files</h2><div class="scroll" tabindex="0" role="region" aria-label="Files"><table class="files"><tbody>${rows.join("")}</tbody></table></div>${changed > rows.length ? `<p class="facts">and ${count(changed - rows.length, "more file", "more files")}</p>` : ""}</section>`;
}

function bar({ added, removed }: FileReceipt, most: number): string {
  const of = (lines: number) => Math.round((lines / most) * 1000) / 10;
  return `<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="good" width="${of(added)}" height="6"/><rect class="bad" x="${of(added)}" width="${of(removed)}" height="6"/></svg>`;
}
