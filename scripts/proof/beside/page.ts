import { type Cell, figuresOfRow, pairedShare, type Row } from "./compare.ts";
import { LOOPS } from "./loops.ts";
import { THRESHOLDS } from "./thresholds.ts";

const OURS = "ours, evidence + gate";
const WIDTH = 30;

/** The page of the documents: what was run, against which peers, and what came out; made from results alone. */
export function pageOf(cells: readonly Cell[]): string {
  const peers = LOOPS.filter(({ from }) => from !== null).map(
    ({ name, from, planFile }) =>
      `| ${name} | ${from?.source} | ${from?.version} | ${planFile ?? "PRD.md, ticked by the loop"} | \`${from?.get}\` |`,
  );
  return [
    "# Beside other loops",
    "",
    "Made by `npm run proof -- --page FILE...` from the results of `npm run proof -- --peers DIR --out FILE`. Do not edit.",
    "",
    "Each loop is the real program, unmodified, in a git project of its own. Its agent is a stand-in for the `claude` program that",
    "behaves by chance as `scripts/proof/persona.ts` says; the same seed gives each loop the same luck. No loop sees whether",
    "the work is truly done. Money is what the stand-in's calls would have cost, whatever a loop counts. `sleep` in peers that are",
    "shell scripts returns at once; the clock of ours runs 20 to 60 times as fast (`faketime`). A bound of 40 calls ends each run. Before a loop counts,",
    "an agent that is always right has to end as done in it, and one that does nothing and claims nothing must not.",
    "",
    "| peer | from | version | plan | to get it |",
    "| --- | --- | --- | --- | --- |",
    ...peers,
    "",
    ...cells.flatMap(sectionOf),
    "## What it showed",
    "",
    "Each false stop of ours beside peers was `completion_disputed`. Seen in a prompt: it holds only the end of a red gate's output, which",
    "for `node --test` is its counts; the names of failing tests are further up and do not reach the agent. The four stopped seeds of",
    "the first table, run again with a reporter that names failures last (and the clock at 20 times), all end truly done, with 6 to 9 calls.",
    "",
    "## What this does not show",
    "",
    "The rates of the agents are chosen, not measured. With a gap of 0 the gate sees every fault, so a loop that asks it must win.",
    "`ralph-starter --validate` has the figures of a loop without a gate: whether its validation ran at all was not looked at.",
    "Ours with a look has no runs where a busy machine made its check slower than 30 seconds. In a first try with a gap, the clock",
    "of ours at 60 times its speed on that machine failed the check; those runs were made again at 20 times.",
    "Samples are small: read the intervals. Peers that are not in the table were not run.",
    "",
  ].join("\n");
}

/** The table of one agent in one kind of project, a chart of it, and the thresholds that were not met. */
export function sectionOf({ persona, tasks, gap, rows }: Cell): string[] {
  const passed = rows.filter((row) => row.passed && row.ends.length > 0);
  const ours = passed.find(({ loop }) => loop === OURS);
  return [
    `## Agent "${persona}", ${tasks} tasks, the gate misses the faults of ${Math.round(gap * 100)} % of them`,
    "",
    "| loop | runs | said done | false done (95 %) | false stop | calls | after truth | $ a run | $ per truly done | x oracle | ours costs (95 %) |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...passed.map((row) => tableLine(row, ours)),
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

function tableLine(row: Row, ours: Row | undefined): string {
  const { runs, saidDone, falseDone, falseStop, calls, callsAfterTruth, cost, costPerDone, ratioToOracle } =
    figuresOfRow(row);
  const share = ours === undefined || ours === row ? null : pairedShare(ours.ends, row.ends);
  const cells = [
    row.loop,
    runs,
    saidDone,
    `${falseDone.count} (${percent(falseDone.low)}-${percent(falseDone.high)} %)`,
    falseStop.count,
    calls.toFixed(1),
    callsAfterTruth.toFixed(1),
    cost.toFixed(2),
    costPerDone?.toFixed(2) ?? "none done",
    ratioToOracle?.toFixed(2) ?? "-",
    share === null ? "-" : `${share.share.toFixed(2)} x (${share.low.toFixed(2)}-${share.high.toFixed(2)})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function bar(row: Row): string {
  const { share } = figuresOfRow(row).falseDone;
  const full = Math.round(share * WIDTH);
  return `${row.loop.padEnd(WIDTH + 1)} ${"█".repeat(full)}${"·".repeat(WIDTH - full)} ${percent(share)} %`;
}

/** The thresholds that ours did not meet, in words. Those of false done hold for a gate that misses nothing. */
export function missed(passed: readonly Row[], ours: Row, gap: number): string[] {
  const { falseDone, falseStop, ratioToOracle, callsAfterTruth, costPerDone } = figuresOfRow(ours);
  const peers = passed
    .filter(({ isPeer }) => isPeer)
    .map((row) => figuresOfRow(row).costPerDone ?? Number.POSITIVE_INFINITY);
  const best = Math.min(...peers);
  const held: [string, number, number][] = [
    ...(gap === 0 ? [["false done", falseDone.share, THRESHOLDS.falseDone] satisfies [string, number, number]] : []),
    ["false stop", falseStop.share, THRESHOLDS.falseStop],
    ["money as a multiple of the oracle's", ratioToOracle ?? Number.POSITIVE_INFINITY, THRESHOLDS.ratioToOracle],
    ["calls after truth", callsAfterTruth, THRESHOLDS.callsAfterTruth],
    ...(Number.isFinite(best)
      ? [
          [
            "money as a share of the best peer's",
            (costPerDone ?? Number.POSITIVE_INFINITY) / best,
            THRESHOLDS.ofBestPeer,
          ] satisfies [string, number, number],
        ]
      : []),
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
