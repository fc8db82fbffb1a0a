import { table } from "../../lib/docs/table.ts";
import { type Cell, figuresOfRow, pairedShare, type Row } from "../beside/compare.ts";
import { LOOPS } from "../beside/loops.ts";
import { THRESHOLDS } from "../beside/thresholds.ts";
import { USUAL } from "../policies.ts";

const WIDTH = 30;

/** The peers that were used, and how to get them. */
export function peersTable(): string {
  const lines = LOOPS.flatMap(({ name, from, planFile }) =>
    from === null ? [] : [[name, from.source, from.version, planFile ?? "ticked by the loop", `\`${from.get}\``]],
  );
  return table(["peer", "from", "version", "plan", "to get it"], lines);
}

/** The table of one agent in one kind of project, a chart of it, and the thresholds that were not met. */
export function sectionOf({ persona, tasks, gap, rows }: Cell): string[] {
  const passed = rows.filter((row) => row.passed && row.ends.length > 0);
  const ours = passed.find(({ loop }) => loop === USUAL.name);
  return [
    `### Agent "${persona}", ${tasks} tasks, the gate misses the faults of ${Math.round(gap * 100)} % of them`,
    "",
    table(
      COLUMNS,
      passed.map((row) => cellsOf(row, ours)),
    ),
    "",
    "```text",
    "false done, share of runs",
    ...passed.map(bar),
    "```",
    "",
    ...rows
      .filter((row) => !row.passed)
      .map(({ loop, why }) => `Not counted: ${loop}: ${why?.replaceAll(/\s+/g, " ")}.`),
    ...(ours === undefined ? [] : [verdict(missed(passed, ours, gap)), ""]),
  ];
}

const COLUMNS = [
  ...["loop", "runs", "said done", "false done (95 %)", "false stop", "calls", "after truth", "in a limit"],
  ...["$ a run", "$ per truly done", "x oracle", "ours costs (95 %)"],
] as const;

function cellsOf(row: Row, ours: Row | undefined): string[] {
  const found = figuresOfRow(row);
  const { runs, saidDone, falseDone, falseStop, calls, callsAfterTruth, callsInLimit } = found;
  const { cost, costPerDone, ratioToOracle } = found;
  const share = ours === undefined || ours === row ? null : pairedShare(ours.ends, row.ends);
  return [
    row.loop,
    `${runs}`,
    `${saidDone}`,
    `${falseDone.count} (${percent(falseDone.low)}-${percent(falseDone.high)} %)`,
    `${falseStop.count}`,
    calls.toFixed(1),
    callsAfterTruth.toFixed(1),
    callsInLimit.toFixed(1),
    cost.toFixed(2),
    costPerDone?.toFixed(2) ?? "none done",
    ratioToOracle?.toFixed(2) ?? "-",
    share === null ? "-" : `${share.share.toFixed(2)} x (${share.low.toFixed(2)}-${share.high.toFixed(2)})`,
  ];
}

function bar(row: Row): string {
  const { share } = figuresOfRow(row).falseDone;
  const full = Math.round(share * WIDTH);
  return `${row.loop.padEnd(WIDTH + 1)} ${"█".repeat(full)}${"·".repeat(WIDTH - full)} ${percent(share)} %`;
}

/** The thresholds that ours did not meet, in words. Those of false done hold for a gate that misses nothing. */
export function missed(passed: readonly Row[], ours: Row, gap: number): string[] {
  const { falseDone, falseStop, ratioToOracle, callsAfterTruth } = figuresOfRow(ours);
  const shares = passed
    .filter(({ isPeer }) => isPeer)
    .flatMap((peer) => pairedShare(ours.ends, peer.ends)?.share ?? []);
  const held: [string, number, number][] = [
    ...(gap === 0 ? [["false done", falseDone.share, THRESHOLDS.falseDone] satisfies [string, number, number]] : []),
    ["false stop", falseStop.share, THRESHOLDS.falseStop],
    ["money as a multiple of the oracle's", ratioToOracle ?? Number.POSITIVE_INFINITY, THRESHOLDS.ratioToOracle],
    ["calls after truth", callsAfterTruth, THRESHOLDS.callsAfterTruth],
    ["money as a share of the best peer's", Math.max(0, ...shares), THRESHOLDS.ofBestPeer],
  ];
  return held
    .filter(([, value, most]) => value > most)
    .map(([what, value, most]) => `${what} ${value.toFixed(2)} (at most ${most})`);
}

function verdict(lost: readonly string[]): string {
  return lost.length === 0 ? "Ours meets each threshold." : `**Ours misses**: ${lost.join("; ")}.`;
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
