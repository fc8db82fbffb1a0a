import { chooseEvenly } from "./choose.ts";
import { hash, type Mutant, mutantsOf, type Sources } from "./generate.ts";
import { importGraph } from "./imports.ts";
import type { KnownFates } from "./known-fates.ts";
import type { Tried } from "./report.ts";
import { type Fate, type Limits, runMutant, runTests } from "./run-mutant.ts";
import { type TestsOf, testsOf } from "./tests-of.ts";
import type { TreeCopy } from "./tree-copy.ts";

/** Which mutants to try. */
export type Wanted = {
  /** Beginnings of paths: the code that is mutated. */
  folders: readonly string[];
  seed: number;
  most: number;
  /** A part of the path; null for all files. */
  file: string | null;
  /** These and no others; none for all. */
  only: readonly string[];
};

/** A mutant that is tried, with what can see it. */
type Subject = { mutant: Mutant; tests: TestsOf; content: string };

/** What a hunt tells while it lasts. */
export type Progress = (mutant: Mutant, fate: Fate, output: string, left: number) => void;

/** The tests fail without any mutant, or what was asked for does not exist: there is nothing to measure. */
export class HuntImpossible extends Error {}

/** All mutants of the wanted folders, and those of them that are wanted. @throws HuntImpossible for an unknown id */
export function select(sources: Sources, { folders, seed, most, file, only }: Wanted) {
  const mutable = [...sources].filter(([path]) => folders.some((folder) => path.startsWith(folder)));
  const all = mutantsOf(new Map(mutable));
  const unknown = only.filter((id) => all.every((mutant) => mutant.id !== id));
  if (unknown.length > 0) throw new HuntImpossible(`there is no mutant ${unknown.join(", ")}`);
  const asked = only.length > 0 ? all.filter(({ id }) => only.includes(id)) : all;
  const here = file === null ? asked : asked.filter((mutant) => mutant.file.includes(file));
  if (here.length === 0) throw new HuntImpossible(`no mutable code in files named like ${file ?? folders.join(", ")}`);
  return { all, chosen: chooseEvenly(here, { folders, most, seed }) };
}

/** Finds for each mutant the tests that can see it, and a hash of all that they read. */
function subjectsOf(mutants: readonly Mutant[], sources: Sources): Subject[] {
  const graph = importGraph(sources);
  const byFile = new Map(
    [...new Set(mutants.map(({ file }) => file))].map((file) => {
      const tests = testsOf(file, graph);
      const read = [...graph.imported([file, ...tests.near, ...tests.far])].sort();
      return [file, { tests, content: hash(...read.flatMap((path) => [path, sources.get(path) ?? ""])) }];
    }),
  );
  return mutants.flatMap((mutant) => {
    const found = byFile.get(mutant.file);
    return found === undefined ? [] : [{ mutant, ...found }];
  });
}

/** Twice what all tests need in one process, and little enough that two mutants do not fill a machine. */
const MEGABYTES = 4_000;

/** So much longer than without a mutant that only an endless loop lasts as long. @param ms that all tests took */
function limitsFrom(ms: number): Limits {
  return { near: 10_000 + ms, far: 10_000 + 3 * ms, megabytes: MEGABYTES };
}

/** Runs the tests of all subjects unchanged. @returns ms that they took @throws HuntImpossible if one fails */
async function baseline(subjects: readonly Subject[], copy: TreeCopy, signal: AbortSignal): Promise<number> {
  const tests = [...new Set(subjects.flatMap(({ tests: { near, far } }) => [...near, ...far]))].sort();
  if (tests.length === 0) return 0;
  const start = performance.now();
  const { exitCode, output, timedOut } = await runTests(copy, tests, {
    timeoutMs: 1_200_000,
    megabytes: MEGABYTES,
    signal,
  });
  if (timedOut && !signal.aborted) throw new HuntImpossible("the tests take too much time or memory without a mutant");
  if (exitCode !== 0 && !signal.aborted) throw new HuntImpossible(`the tests fail without a mutant:\n${output.trim()}`);
  return Math.ceil(performance.now() - start);
}

/**
 * Tries mutants, one in each copy at a time; what is known already is not tried again.
 * @param sources what the copies hold
 * @throws HuntImpossible if the tests fail without a mutant
 */
export async function hunt(
  mutants: readonly Mutant[],
  sources: Sources,
  {
    copies,
    fates,
    signal,
    progress,
  }: { copies: readonly TreeCopy[]; fates: KnownFates; signal: AbortSignal; progress: Progress },
): Promise<Tried[]> {
  const subjects = subjectsOf(mutants, sources);
  const known = ({ mutant, content }: Subject) => fates.of(mutant.id, content);
  const open = subjects.filter((subject) => known(subject) === undefined);
  const [first] = copies;
  if (open.length > 0 && first !== undefined) {
    const limits = limitsFrom(await baseline(open, first, signal));
    const work = async (copy: TreeCopy) => {
      for (let next = open.shift(); next !== undefined && !signal.aborted; next = open.shift()) {
        const { mutant, tests, content } = next;
        const trial = await runMutant(copy, mutant, { tests, limits, signal });
        if (trial === null) return;
        fates.add(mutant.id, content, trial.fate);
        progress(mutant, trial.fate, trial.output, open.length);
      }
    };
    await Promise.all(copies.map(work));
  }
  return subjects.flatMap((subject) => {
    const fate = known(subject);
    return fate === undefined ? [] : [{ mutant: subject.mutant, fate }];
  });
}
