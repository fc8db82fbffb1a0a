import { chance } from "../chance.ts";
import { type Share, wilson } from "../figures.ts";
import type { PersonaName } from "../persona.ts";
import type { Trial } from "../trial.ts";
import type { End } from "./run-loop.ts";

/** One loop with one agent: what its runs were, and whether it passed the check that comes before any figure. */
export type Row = {
  loop: string;
  isPeer: boolean;
  passed: boolean;
  why: string | null;
  ends: End[];
  oracles: Trial["oracle"][];
};
export type Cell = { kind: "beside"; persona: PersonaName; tasks: number; gap: number; rows: Row[] };

export type RowFigures = {
  runs: number;
  saidDone: number;
  trulyDone: number;
  falseDone: Share;
  /** It gave up, at no bound of calls, although a loop that sees the truth gets there. */
  falseStop: Share;
  calls: number;
  callsAfterTruth: number;
  callsInLimit: number;
  cost: number;
  /** In USD; null if nothing was finished. */
  costPerDone: number | null;
  ratioToOracle: number | null;
};

/**
 * The cells with each kind of agent and project once: where it was run twice, each loop has the row with the most seeds, the later of
 * equals. Ours can so be run with many seeds, beside slow peers with few; comparisons take the seeds that both ran.
 */
export function mergedCells(cells: readonly Cell[]): Cell[] {
  const kinds = Map.groupBy(cells, ({ persona, tasks, gap }) => [persona, tasks, gap].join(" "));
  return [...kinds.values()].map((same) => {
    const loops = Map.groupBy(
      same.flatMap(({ rows }) => rows),
      ({ loop }) => loop,
    );
    const rows = [...loops.values()].map((runs) =>
      runs.reduce((most, row) => (row.ends.length < most.ends.length ? most : row)),
    );
    return { ...(same[0] as Cell), rows };
  });
}

const MOST_CALLS = 40;
const DRAWS = 2000;

export function figuresOfRow({ ends, oracles }: Pick<Row, "ends" | "oracles">): RowFigures {
  const sum = (value: (end: End) => number) => ends.reduce((total, end) => total + value(end), 0);
  const count = (test: (end: End, index: number) => boolean) => ends.filter(test).length;
  const trulyDone = count(isFinished);
  const reached = oracles.filter(({ done }) => done);
  const floor = reached.reduce((total, { cost }) => total + cost, 0) / Math.max(1, reached.length);
  const costPerDone = perDone(ends);
  return {
    runs: ends.length,
    saidDone: count(({ saidDone }) => saidDone),
    trulyDone,
    falseDone: wilson(
      count((end) => end.saidDone && !end.trulyDone),
      ends.length,
    ),
    falseStop: wilson(
      count(({ saidDone, calls }, index) => !saidDone && calls < MOST_CALLS && oracles[index]?.done === true),
      ends.length,
    ),
    calls: sum(({ calls }) => calls) / Math.max(1, ends.length),
    callsAfterTruth: sum(({ callsAfterTruth }) => callsAfterTruth) / Math.max(1, ends.length),
    callsInLimit: sum((end) => end.callsInLimit) / Math.max(1, ends.length),
    cost: sum(({ cost }) => cost) / Math.max(1, ends.length),
    costPerDone,
    ratioToOracle: costPerDone === null || floor === 0 ? null : costPerDone / floor,
  };
}

/**
 * What a finished project costs in one loop as a share of what it costs in another, with the 95 % interval of a bootstrap over
 * the seeds that both ran: a draw takes the same seeds for both. An open end (Infinity) is a draw in which the other finished
 * nothing; draws in which ours finished nothing count as Infinity too.
 * @returns null if they have no seed in common, or if the other never finished
 */
export function pairedShare(
  ours: readonly End[],
  other: readonly End[],
): { share: number; low: number; high: number } | null {
  const pairs = ours.flatMap((mine) => {
    const theirs = other.find(({ seed }) => seed === mine.seed);
    return theirs === undefined ? [] : [{ mine, theirs }];
  });
  const shareOf = (some: typeof pairs) => {
    const mine = perDone(some.map((pair) => pair.mine));
    const theirs = perDone(some.map((pair) => pair.theirs));
    if (mine === null) return Number.POSITIVE_INFINITY;
    return theirs === null ? 0 : mine / theirs;
  };
  if (pairs.length === 0 || perDone(pairs.map(({ theirs }) => theirs)) === null) return null;
  const draws = Array.from({ length: DRAWS }, (_, draw) =>
    shareOf(pairs.map((pair, at) => pairs[Math.floor(chance("bootstrap", draw, at) * pairs.length)] ?? pair)),
  ).toSorted((a, b) => a - b);
  const at = (part: number) => draws[Math.floor(part * (DRAWS - 1))] ?? 0;
  return { share: shareOf(pairs), low: at(0.025), high: at(0.975) };
}

function perDone(ends: readonly End[]): number | null {
  const finished = ends.filter(isFinished).length;
  return finished === 0 ? null : ends.reduce((total, { cost }) => total + cost, 0) / finished;
}

/** Only an end that says so tells a person that the work can be used. */
function isFinished({ saidDone, trulyDone }: End): boolean {
  return saidDone && trulyDone;
}
