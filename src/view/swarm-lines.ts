/** The workers of a swarm, a line each. */
import type { State } from "../core/journal/state.ts";
import { totalTokens } from "../core/journal/usage.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { sideWork } from "./live/footer.ts";
import { cost, elapsed, tokenCount } from "./text/figures.ts";
import type { Style } from "./text/style.ts";
import { columns, fit } from "./text/text.ts";

/** `run`: the newest run of its worktree; null before the first. */
export type WorkerRow = { name: string; run: State | null };

export type SwarmLinesInput = {
  /** The swarm's own. */
  state: State;
  workers: readonly WorkerRow[];
  width: number;
  style: Style;
  /** Epoch ms. */
  now: number;
};

/** A line for each worker, and one for all. Empty before the swarm's run and after its end. */
export function swarmLines({ state, workers, width, style, now }: SwarmLinesInput): string[] {
  if (state.run === "" || state.finished !== null) return [];
  return [...workerLines({ state, workers, width, style, now }), totals(state, { width, style, now })];
}

/** A line for each worker. */
export function workerLines({ state, workers, width, style, now }: SwarmLinesInput): string[] {
  const nameWidth = Math.max(...workers.map(({ name }) => name.length));
  return workers.map(({ name, run }) => {
    const task = state.tasks_at_work.find(({ worker }) => worker === name) ?? null;
    const head = `  ${style.cyan(name.padEnd(nameWidth))}  `;
    if (task === null) return `${head}${style.dim("idle")}`;
    const worked = run?.tasks_at_work.some((one) => one.task === task.task) === true ? run : null;
    const tail = style.dim(`  ${[...figures(worked), elapsed(Math.max(0, now - Date.parse(task.since)))].join(" · ")}`);
    const room = Math.max(8, width - columns(head) - columns(tail) - 1);
    return `${head}${fit(singleLine(task.text), room)}${tail}`;
  });
}

function figures(run: State | null): string[] {
  if (run === null) return ["begins"];
  const spent = cost(run.usage);
  const doing =
    run.wait !== null
      ? `waits (${run.wait.why.replaceAll("_", " ")})`
      : (sideWork(run) ?? `iteration ${run.iteration}`);
  return [doing, ...(spent === null ? [] : [spent])];
}

function totals(
  { usage, iterations, land, inbox, paused, stop_requested, started_at }: State,
  { width, style, now }: Pick<SwarmLinesInput, "width" | "style" | "now">,
): string {
  const spent = cost(usage);
  const parts = [
    ...(stop_requested === null ? (paused ? ["paused"] : []) : ["stopping"]),
    `${land.landed} landed`,
    ...(land.returned > 0 ? [`${land.returned} came back`] : []),
    ...(inbox.open.length > 0 ? [`${inbox.open.length} need you: ralph inbox`] : []),
    ...(iterations > 0 ? [count(iterations, "iteration")] : []),
    ...(totalTokens(usage) > 0 ? [tokenCount(totalTokens(usage))] : []),
    ...(spent === null ? [] : [spent]),
    elapsed(Math.max(0, now - Date.parse(started_at))),
  ];
  return fit(style.dim(`  ${parts.join(" · ")}`), width);
}
