import type { RunReceipt } from "../../core/report/run-receipt.ts";
import type { StatusReport } from "../../core/report/status-report.ts";
import { taskTitle } from "../../core/run-title.ts";
import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import { nameOf } from "../process-lines.ts";
import { text, time } from "../report/html.ts";
import type { WorkerRow } from "../swarm-lines.ts";
import { cost } from "../text/figures.ts";
import { endWords } from "../text/marks.ts";

/** What a project's card tells beside its newest run. */
export type CardFacts = {
  /** The one that is checked out; null for none. */
  branch: string | null;
  model: string | null;
  worktrees: { name: string; branch: string; project: string }[];
  /** Runs of the last days before the newest, which comes first. */
  ended: RunReceipt[];
  /** Of a swarm that works. */
  workers: WorkerRow[];
};

/** Agent, model and branch. */
export function agentFacts(report: StatusReport, { model, branch }: CardFacts): string {
  const parts = [
    report.display_name === null ? "" : text(report.display_name),
    model === null || model === report.driver ? "" : text(truncate(singleLine(model), 60)),
    branch === null ? "" : `branch <code>${text(truncate(branch, 80))}</code>`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

export type MoreOptions = {
  /** The project's, in addresses. */
  id: string;
  /** What the agent of the newest run said and did last. */
  lines: readonly string[];
  /** The address of the newest run of a project; null if the page does not show it. */
  linkOf(project: string): string | null;
};

/** What stands below a card's head: what a live run's agent said and did last, workers, worktrees, earlier runs, buttons. */
export function cardMore(report: StatusReport, facts: CardFacts, { id, lines, linkOf }: MoreOptions): string {
  return `${last(report, lines)}${workers(facts)}${worktrees(facts, linkOf)}${ended(facts, id)}${buttons(report, id)}`;
}

function last({ status }: StatusReport, lines: readonly string[]): string {
  return status !== "running" || lines.length === 0 ? "" : `<pre class="last">${text(lines.join("\n"))}</pre>`;
}

function workers({ workers: all }: CardFacts): string {
  if (all.length === 0) return "";
  const items = all.map(({ name, run }) => {
    const parts =
      run === null
        ? ["begins"]
        : [
            run.wait === null ? `iteration ${run.iteration}` : `waits (${run.wait.why.replaceAll("_", " ")})`,
            cost(run.usage),
          ];
    const task = run?.tasks_at_work.at(-1)?.text ?? "";
    return `<li><b>${text(name)}</b> ${text(truncate(singleLine(task), 120))} <span class="facts">${text(parts.filter((part) => part !== null).join(" · "))}</span></li>`;
  });
  return `<p class="facts">${count(all.length, "worker")}</p><ul class="workers">${items.join("")}</ul>`;
}

function worktrees({ worktrees: all }: CardFacts, linkOf: (project: string) => string | null): string {
  if (all.length === 0) return "";
  const names = all.map(({ name, branch, project }) => {
    const link = linkOf(project);
    const title = text(truncate(singleLine(name), 60));
    return `${link === null ? title : `<a href="${link}">${title}</a>`} <code>${text(truncate(branch, 60))}</code>`;
  });
  return `<p class="facts">${count(all.length, "worktree")}: ${names.join(", ")}</p>`;
}

function ended({ ended: all }: CardFacts, id: string): string {
  if (all.length === 0) return "";
  const items = all.map((receipt) => {
    const { run, stop_reason: reason, exit_code: code, iterations, started_at } = receipt;
    const parts = [taskTitle(receipt.task), count(iterations, "iteration"), cost(receipt)].filter(
      (part) => part !== null,
    );
    const when = started_at === null ? "" : `${time(started_at)} · `;
    return `<li><a href="#/run/${id}/${text(run)}">run ${text(run.split("-")[0] ?? run)}</a> · ${when}${text([endWords(reason, code), ...parts].join(" · "))}</li>`;
  });
  return `<details class="ended" data-fold="${id}"><summary>${count(all.length, "earlier run")}</summary><ul>${items.join("")}</ul></details>`;
}

/** What the command line can do to such a run; the page shows those that change something only where it may. */
function buttons(report: StatusReport, id: string): string {
  const { run, status, phase } = report;
  const name = nameOf(report);
  const button = (what: string, words: string, kind = "") =>
    `<button type="button" data-do="${what}" aria-label="${text(`${words}: ${name}`)}"${kind}>${text(words)}</button>`;
  const isPaused = phase === "paused" || phase === "pausing";
  const all =
    status === "running"
      ? [
          isPaused ? button("resume", "Go on", STEERS) : button("pause", "Pause", STEERS),
          phase === "stopping"
            ? button("withdraw", "Take the stop back", STEERS)
            : button("stop", "Stop after this iteration", STEERS),
          button("stop_now", "Stop now", ` class="steers danger"`),
        ]
      : [
          ...(canGoOn(report) ? [button("go_on", "Go on", STEERS)] : []),
          ...(run === null ? [] : [button("report", "Report"), button("run_diff", "Diff", ` aria-expanded="false"`)]),
          button("forget", "Remove", STEERS),
        ];
  return `<div class="buttons" data-project="${id}" data-run="${text(run ?? "")}" data-name="${text(name)}">${all.join("")}</div>`;
}

const STEERS = ` class="steers"`;

/** Whether a run that ended, or broke off, can be gone on with as it was begun: by its own flags, with its own words. */
export function canGoOn({ status, started_by }: Pick<StatusReport, "status" | "started_by">): boolean {
  return status !== "running" && status !== "completed" && (started_by === "cli" || started_by === "task");
}
