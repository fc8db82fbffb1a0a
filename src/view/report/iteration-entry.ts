import { totalTokens } from "../../core/journal/usage.ts";
import type { IterationReceipt } from "../../core/report/report-types.ts";
import { count } from "../../core/text/count.ts";
import { truncate } from "../../core/text/truncate.ts";
import { cost, duration, shortId, tokenClasses, tokens } from "../text/figures.ts";
import { ITERATION_MARKS, iterationKind } from "../text/iteration-mark.ts";
import type { Shorten } from "../text/path.ts";
import { diff, text, time } from "./html.ts";

/** The words of `data-kind`, which the filters use. */
export function kindsOf(row: IterationReceipt): string[] {
  return [
    iterationKind(row),
    ...(row.gates.some(({ ok }) => !ok) ? ["red"] : []),
    ...(row.plan_delta > 0 ? ["ticked"] : []),
  ];
}

/** An iteration up to its transcript: the folded line, and its receipt below. */
export function iterationHead(row: IterationReceipt, shorten: Shorten, live: boolean): string {
  return `${iterationLine(row, shorten, live)}\n<div class="body">${iterationReceipt(row)}`;
}

/** The folded line alone. */
export function iterationLine(row: IterationReceipt, shorten: Shorten, live: boolean): string {
  const kind = iterationKind(row);
  const { mark, word } = ITERATION_MARKS[kind];
  const figures = [
    ["time", row.wall_ms === null ? "" : duration(row.wall_ms)],
    ["tokens", totalTokens(row.usage) === 0 ? "" : tokens(totalTokens(row.usage))],
    ["cost", cost(row.usage) ?? ""],
    ["lines", diff(row.lines_added, row.lines_removed)],
  ] as const;
  const gates = row.gates.map(({ ok, command }) => {
    const label = text(`${truncate(command, 120)}: ${ok ? "green" : "red"}`);
    return `<i class="${ok ? "good" : "bad"}" role="img" title="${label}" aria-label="gate ${label}">${ok ? "✓" : "✗"}</i>`;
  });
  return `<details class="iteration" id="i${row.number}" data-kind="${kindsOf(row).join(" ")}"><summary><span class="number">${row.number}</span><span class="mark ${kind}" role="img" title="${word}" aria-label="${word}">${mark}</span><span class="sentence">${row.name === null ? "" : `<b>${text(shorten(row.name))}</b> · `}${text(shorten(truncate(verdictOf(row, live), 600)))}</span><span class="gates">${gates.join("")}</span><span class="figures">${figures.map(([name, figure]) => `<span title="${name}">${figure}</span>`).join("")}</span></summary>`;
}

/** Its verdict in a sentence; of an iteration without one, why it has none. */
export function verdictOf({ sentence }: IterationReceipt, live: boolean): string {
  return sentence ?? (live ? "Under way." : "Its end is not recorded.");
}

/** What it cost and changed. */
export function iterationReceipt(row: IterationReceipt): string {
  const { usage, plan } = row;
  const facts = [
    time(row.started_at),
    usage.model === null ? "" : text(usage.model),
    count(row.calls, "call"),
    count(row.tools, "tool"),
    tokenClasses(usage),
    row.waited_ms > 0 ? `waited ${duration(row.waited_ms)}` : "",
    plan === null || plan.total === 0 ? "" : `plan ${plan.checked}/${plan.total}`,
    row.breaker === "closed" ? "" : `breaker ${row.breaker.toUpperCase()}`,
    row.commits.length === 0
      ? ""
      : `${count(row.commits.length, "commit")} ${row.commits
          .slice(0, 3)
          .map((id) => `<code>${text(shortId(id))}</code>`)
          .join(" ")}`,
    row.rule === null ? "" : `rule ${text(row.rule)}`,
  ];
  const ticked = row.ticked.map((task) => `<li><span class="good">✓</span> ${text(truncate(task, 300))}</li>`);
  const files = row.files.map(
    (file) => `<li><code>${text(truncate(file.path, 200))}</code> ${diff(file.added, file.removed)}</li>`,
  );
  const more = row.files_changed - row.files.length;
  const said = [...(row.review === null ? [] : [row.review]), ...new Set(row.looks), ...row.git];
  return `<p class="facts">${facts.filter((fact) => fact !== "").join(" · ")}</p>${list("ticked", ticked)}${list("changed", more > 0 ? [...files, `<li>and ${count(more, "more file", "more files")}</li>`] : files)}${said.map((sentence) => `<p class="note said">⚑ ${text(sentence)}</p>`).join("")}\n`;
}

function list(kind: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `<ul class="${kind}">${items.join("")}</ul>`;
}
