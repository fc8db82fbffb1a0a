import { table } from "../../lib/docs/table.ts";
import type { Figures } from "../figures.ts";
import { POLICIES, USUAL } from "../policies.ts";
import { BOUND_TASKS, type BoundRow, type Stalls } from "../virtual/bounds.ts";
import type { LooksRow, Matrix, Swing, VirtualRow } from "../virtual/matrix.ts";

const WIDTH = 30;

/** The tables of the loop in virtual time: agents and gates, sizes, and how much each figure of an agent matters. */
export function virtualSection({ runs, rows, sizes, looks, swings, bounds, stalls }: Matrix): string[] {
  const gaps = [...new Set(rows.map(({ shape }) => shape.gap))];
  return [
    ...gaps.flatMap((gap) =>
      agentsTable(
        rows.filter(({ shape }) => shape.gap === gap),
        gap,
        runs,
      ),
    ),
    ...looksTable(looks, runs),
    ...sizesTable(sizes),
    ...boundsTable(bounds, stalls),
    ...swingsTable(swings, runs),
  ];
}

function agentsTable(rows: readonly VirtualRow[], gap: number, runs: number): string[] {
  const loops = [...new Set(rows.map(({ loop }) => loop))];
  const personas = [...new Set(rows.map(({ persona }) => persona))];
  const cell = (persona: string, loop: string) => {
    const found = rows.find((row) => row.persona === persona && row.loop === loop);
    return found === undefined ? "not run" : brief(found.figures);
  };
  return [
    `### The gate misses the faults of ${percent(gap)} % of the tasks`,
    "",
    `${runs} seeds each, 6 tasks: false done (95 %) · false stops · money for a finished project as a multiple of the oracle's.`,
    "",
    table(
      ["agent", ...loops],
      personas.map((persona) => [persona, ...loops.map((loop) => cell(persona, loop))]),
    ),
    "",
  ];
}

function brief({ falseDone, falseStop, ratioToOracle }: Figures): string {
  const range = `${percent(falseDone.low)}-${percent(falseDone.high)} %`;
  return `${falseDone.count} (${range}) · ${falseStop.count} · ${times(ratioToOracle)}`;
}

export function looksTable(looks: readonly LooksRow[], runs: number): string[] {
  return [
    "### How many looks",
    "",
    `Agent "weak", ${USUAL.name}, ${runs} seeds, 6 tasks; the gate misses the faults of 25 % of them. REVIEW_ON_DONE is how often a stranger has`,
    "to find nothing before done counts.",
    "",
    table(
      ["REVIEW_ON_DONE", "false done (95 %)", "false stops", "calls", "$ per truly done", "x oracle"],
      looks.map(({ looks: asked, figures: { falseDone, falseStop, calls, costPerDone, ratioToOracle } }) => {
        const range = `${falseDone.count} (${percent(falseDone.low)}-${percent(falseDone.high)} %)`;
        const money = costPerDone?.toFixed(2) ?? "none done";
        return [`${asked}`, range, `${falseStop.count}`, calls.toFixed(1), money, times(ratioToOracle)];
      }),
    ),
    "",
  ];
}

function sizesTable(sizes: readonly VirtualRow[]): string[] {
  return [
    "### Larger projects",
    "",
    `Agent "weak", ${USUAL.name}; a task builds on up to two earlier ones; the gate misses the faults of 10 % of the tasks.`,
    "",
    table(
      ["tasks", "seeds", "false done (95 %)", "false stops", "calls", "x oracle"],
      sizes.map(({ shape, figures: { runs, falseDone, falseStop, calls, ratioToOracle } }) => {
        const range = `${falseDone.count} (${percent(falseDone.low)}-${percent(falseDone.high)} %)`;
        return [`${shape.tasks}`, `${runs}`, range, `${falseStop.count}`, calls.toFixed(1), times(ratioToOracle)];
      }),
    ),
    "",
  ];
}

function boundsTable(bounds: readonly BoundRow[], stalls: Stalls): string[] {
  return [
    "### Bounds and stalls",
    "",
    `${USUAL.name}, ${BOUND_TASKS} tasks. What a call cost is known only after it, so one call may pass a bound of money (\`--max-cost\`); of a call`,
    'that crashed (agent "flaky") nobody tells the money, and it comes on top.',
    "",
    table(
      ["agent", "bound", "seeds", "ended at it", "over it, mean", "over it, most"],
      bounds.map(({ persona, bound, runs, stopped, meanOver, mostOver }) => [
        ...[persona, `$${bound}`, `${runs}`, `${stopped}`],
        ...[`$${meanOver.toFixed(2)}`, `$${mostOver.toFixed(2)}`],
      ]),
    ),
    "",
    `A call that has stopped to do anything was ended after ${stalls.meanMinutes.toFixed(1)} minutes (${stalls.calls} such calls, agent "hanger").`,
    "",
  ];
}

function swingsTable(swings: readonly Swing[], runs: number): string[] {
  const spread = ({ half, double }: Swing) => Math.abs((half.ratioToOracle ?? 0) - (double.ratioToOracle ?? 0));
  const widest = Math.max(...swings.map(spread), Number.EPSILON);
  const line = (swing: Swing) => {
    const bar = "█".repeat(Math.round((spread(swing) / widest) * WIDTH)).padEnd(WIDTH, "·");
    const { half, double } = swing;
    const done = `${half.falseDone.count} ${double.falseDone.count}`.padEnd(7);
    const stop = `${half.falseStop.count} ${double.falseStop.count}`.padEnd(7);
    return `${swing.figure.padEnd(13)} ${bar}  ${times(half.ratioToOracle)} to ${times(double.ratioToOracle)}   ${done} ${stop}`;
  };
  return [
    "### What matters how much",
    "",
    `Agent "weak", ${USUAL.name}, a gate that misses 10 %, ${runs} seeds: each figure of the agent halved and doubled.`,
    "",
    "```text",
    `${"".padEnd(13)} ${"money, as a multiple of the oracle's".padEnd(WIDTH + 14)}   false   false`,
    `${"".padEnd(13)} ${"".padEnd(WIDTH + 14)}   dones   stops`,
    ...swings.toSorted((a, b) => spread(b) - spread(a)).map(line),
    "```",
    "",
  ];
}

type Bounds = { falseDone: number; falseStop: number; ratioToOracle: number };

/** Where a loop of ours is worse than what was written down beforehand, in words. */
export function weaknesses({ rows }: Matrix, bounds: Bounds): string[] {
  const names = POLICIES.map(({ name }) => name);
  return rows
    .filter(({ loop }) => names.includes(loop))
    .flatMap(({ persona, loop, shape, figures: { falseDone, falseStop, ratioToOracle } }) => {
      const isDear = loop === USUAL.name && shape.gap === 0 && (ratioToOracle ?? 0) > bounds.ratioToOracle;
      const where = `agent "${persona}", ${loop}, a gate that misses ${percent(shape.gap)} %`;
      return [
        ...(falseDone.share > bounds.falseDone ? [`false done ${percent(falseDone.share)} %: ${where}`] : []),
        ...(falseStop.share > bounds.falseStop ? [`false stop ${percent(falseStop.share)} %: ${where}`] : []),
        ...(isDear ? [`money ${times(ratioToOracle)} that of the oracle: ${where}`] : []),
      ];
    });
}

function times(ratio: number | null): string {
  return ratio === null ? "none done" : `${ratio.toFixed(2)} x`;
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
