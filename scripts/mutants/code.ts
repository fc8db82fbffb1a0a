import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/paths.ts";
import { HuntImpossible, hunt, type Progress, select, type Wanted } from "./hunt.ts";
import { noFates, openFates } from "./known-fates.ts";
import { type Accepted, isEnough, mutantLine, report, reportText } from "./report.ts";
import { copyTree, makeWorkshop, removeLeftovers, sourcesOf } from "./tree-copy.ts";

/** The code whose tests are tried. */
export const FOLDERS = ["src/core/", "src/run/"];

export type CodeOptions = Omit<Wanted, "folders"> & {
  /** Mutants at once, each in its own copy of the tree. */
  atOnce: number;
  /** Forget what earlier runs found out. */
  fresh: boolean;
  json: boolean;
};

const STOPS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Mutates the code in copies of the tree, prints which mutants no test noticed, and gives the exit code: 0, 1 if too
 * many survived, 2 if nothing can be measured, 130 if it was stopped.
 */
export async function mutateCode(options: CodeOptions): Promise<number> {
  const stopping = new AbortController();
  for (const signal of STOPS) process.on(signal, () => stopping.abort());
  removeLeftovers();
  const workshop = makeWorkshop();
  try {
    return await measure(options, workshop, stopping.signal);
  } catch (error) {
    if (!(error instanceof HuntImpossible)) throw error;
    console.error(error.message);
    return 2;
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function measure(options: CodeOptions, workshop: string, signal: AbortSignal): Promise<number> {
  const copies = Array.from({ length: options.atOnce }, () => copyTree(root, workshop));
  const sources = copies[0] === undefined ? new Map() : sourcesOf(copies[0]);
  const { all, chosen } = select(sources, { folders: FOLDERS, ...options });
  console.error(`${chosen.length} of ${all.length} mutants, seed ${options.seed}; first the tests without a mutant`);
  // Who looks at single mutants wants to see what the tests say, known or not.
  const single = options.only.length > 0;
  const fates = single ? noFates() : openFates(join(root, "dist", "code-mutants.jsonl"), options);
  const progress = single ? showTrial : showProgress;
  const tried = await hunt(chosen, sources, { copies, fates, signal, progress });
  if (signal.aborted) {
    console.error(`stopped; the same command goes on after the ${tried.length} mutants that are known`);
    return 130;
  }
  const accepted: Accepted[] = JSON.parse(readFileSync(join(import.meta.dirname, "accepted.json"), "utf8"));
  for (const { id, change } of accepted)
    if (all.every((mutant) => mutant.id !== id)) console.error(`${id} (${change}) is accepted, but no mutant any more`);
  const found = report(tried, accepted, FOLDERS);
  console.log(options.json ? JSON.stringify({ seed: options.seed, ...found }, null, 2) : reportText(found));
  return isEnough(found) ? 0 : 1;
}

const showProgress: Progress = (mutant, fate, _output, left) => {
  if (fate === "survived") console.error(`survived  ${mutantLine(mutant)}`);
  if (left > 0 && left % 25 === 0) console.error(`${left} left`);
};

const showTrial: Progress = (mutant, fate, output) => {
  console.error(`${mutantLine(mutant)}\n${output.trim()}\n${fate}`);
};
