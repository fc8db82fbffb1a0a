/** The figures of a recorded `npm run bench` that a user notices. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../bench/measure.ts";
import { root } from "../paths.ts";
import { table } from "./table.ts";

/** What `npm run bench -- --json` printed on machines of two kinds; to renew one, print it there again. */
const USUAL = { machine: "a usual machine", file: "bench.json" };
const VIRTUAL = { machine: "a virtual one, where memory is slow", file: "bench-virtual.json" };

/** Figures by the name that the bench gives them, in words for the page. */
const SHOWN: readonly (readonly [figure: string, words: string])[] = [
  [
    "bare program: start",
    "a program that does nothing, from its start to its end: the scale of the milliseconds below",
  ],
  ["launch to first agent", "from the command to the agent's start"],
  ["agent end to next start, 1000 files", "from the agent's end to its next start, 1,000 files"],
  ["gap: last 50 of 2000 over 500 to 550", "the same after 2,000 iterations, over after 500"],
  ["CPU of an iteration", "processor time of an iteration"],
  ["ralph over ralphy: gap, 20 files", "between two agents, over ralphy, which records nothing, 20 files"],
  ["ralph over ralphy: gap, 1000 files", "the same, 1,000 files"],
  [
    "ralph over recording: gap, 20 files",
    "between two agents, over a loop that records and looks at each file, 20 files",
  ],
  ["ralph over recording: gap, 1000 files", "the same, 1,000 files"],
  ["ralph over ralphy: CPU, 20 files", "processor time of an iteration, over ralphy, 20 files"],
  ["ralph over ralphy: CPU, 1000 files", "the same, 1,000 files"],
  ["ralph over ralphy: launch, 20 files", "from the command to the agent's start, over ralphy"],
  ["memory: last 50 of 2000 over 500 to 550", "memory, after 2,000 iterations over after 500"],
  ["peak memory, 20 iterations", "most memory of a short run"],
  ["seeing a changed file over git, 1000", "seeing what changed in 1,000 files, over `git status`"],
  ["seeing a changed file over git, 100000", "the same in 100,000 files"],
  ["checkpoint over git status, 1000", "keeping 1,000 files for undo, 5 changed, over `git status`"],
  ["checkpoint over git status, 100000", "the same of 100,000 files"],
  ["ralph over split and parse, 200,000 texts, tools, results", "recording 200,000 events, over only parsing them"],
  ["ralph over split, parse and record, 200,000 texts, tools, results", "the same, over parsing and recording them"],
  [
    "ralph over ralphy: CPU, 200,000 texts, tools, results",
    "the same, agent included, over ralphy, which keeps no record",
  ],
  ["ralph over split and parse, 200 MB in 60,000 results", "200 MB in 60,000 results, over only parsing them"],
  ["ralph over split, parse and record, 200 MB in 60,000 results", "the same, over parsing and recording them"],
  ["peak memory, 200,000 texts, tools, results", "most memory while 200,000 events come"],
  [
    "split, parse and record: peak memory, 200,000 texts, tools, results",
    "most memory of only parsing and recording them",
  ],
  ["peak memory, twice as many over once", "most memory while 400,000 come, over that of 200,000"],
  ["analyze over parse, 100 MB", "`ralph analyze` of 100 MB, over only parsing them"],
  ["a journal of 212 MB to the first frame", "`ralph monitor` on a journal of 212 MB, to its first frame"],
  ["following 100 events a second, 200 by 50", "`ralph monitor` while 100 events come each second"],
  ["a call in bubblewrap, a list of hosts, more", "what the sandbox adds to a call"],
  ["ralph ui: start to first answer", "`ralph ui`, to its first answer"],
  ["ralph ui: start to first paint", "the same, to what a browser that runs paints first"],
  ["ralph ui: first rows of 202002 events", "`ralph ui`, to the first rows of a run of 202,002 events"],
  ["ralph ui: memory, showing 202002 events", "memory of `ralph ui` while a page shows them"],
  ["ralph ui: memory, showing 404002 events", "the same of twice as many"],
  ["ralph ui: a frame while 202002 events scroll", "a frame of the page while they scroll"],
  ["ralph --version over bare program", "`ralph --version`, over a program that does nothing"],
  ["ralph --help over bare program", "`ralph --help`, the same"],
  ["ralph status over bare program", "`ralph status`, the same"],
];

type Recorded = { machine: string; figures: Figure[]; load_average: number[] };

/** What was recorded for the page. */
export function recordedBench({ machine, file } = USUAL): Recorded {
  return { machine, ...JSON.parse(readFileSync(join(root, "docs", "assets", file), "utf8")) };
}

/** The table of the page, and how busy the machines were. @throws for a figure that a recorded bench lacks */
export function performanceTable(): string {
  const usual = recordedBench(USUAL);
  const virtual = recordedBench(VIRTUAL);
  const rows = SHOWN.map(([name, words]) => {
    const figure = figureCalled(name, usual);
    const bound = figure.target === null ? "" : inWords(figure.target, figure.unit);
    return [words, bound, measured(figure), measured(figureCalled(name, virtual))];
  });
  const loads = [usual, virtual].map(
    ({ machine, load_average: [before = 0, after = 0] }) => `${machine}: ${before} before, ${after} after`,
  );
  const isBusy = [usual, virtual].some(({ load_average }) => Math.max(...load_average) > 1);
  const busy = isBusy ? " Other work ran beside it: the multiples say more than the milliseconds." : "";
  const heads = ["what, in the middle of its runs", "at most", usual.machine, virtual.machine];
  return `${table(heads, rows)}\n\nThe machines' load: ${loads.join("; ")}.${busy}`;
}

function figureCalled(name: string, { figures, machine }: Recorded): Figure {
  const found = figures.find((figure) => figure.name === name);
  if (found === undefined) throw new Error(`the bench of ${machine} has no figure called ${name}`);
  return found;
}

function measured({ median, unit, ok }: Figure): string {
  return `${inWords(median, unit)}${ok === false ? ", missed" : ""}`;
}

function inWords(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${unit}`;
}
