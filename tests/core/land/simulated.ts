/** A target and branches that exist only as names: what the train decides can be watched ten thousand times in a second. */
import { noRedRate, type RedRate } from "../../../src/core/land/red-rate.ts";
import { afterLandStep, type LandOutcome, newTrain, nextLandStep, type Train } from "../../../src/core/land/train.ts";

export type SimulatedBranch = {
  name: string;
  isRed: boolean;
  /** A branch that it conflicts with. */
  conflicts?: string;
  /** Green alone, and red together with this one. */
  clashes?: string;
  /** Mends a red target. */
  mends?: boolean;
};

export type World = {
  branches: readonly SimulatedBranch[];
  chance(): number;
  flakes?: number;
  /** Part of the landings before which a person pushes. */
  moves?: number;
  redTarget?: boolean;
  rate?: RedRate;
};

export type Simulated = {
  train: Train;
  gateRuns: number;
  /** Gate runs without the second ones of red trees. */
  trees: number;
  flakes: number;
  /** What was on the target after each landing. */
  targets: string[][];
  steps: number;
};

/** Runs a train to its end. */
export function simulate({
  branches,
  chance,
  flakes = 0,
  moves = 0,
  redTarget = false,
  rate = noRedRate(),
}: World): Simulated {
  const byName = new Map(branches.map((branch) => [branch.name, branch]));
  const contents = new Map<string, string[]>([["base", []]]);
  const has = (names: readonly string[], name: string | undefined) => name !== undefined && names.includes(name);
  const isRed = (names: readonly string[]) =>
    names.some((name) => byName.get(name)?.isRed === true || has(names, byName.get(name)?.clashes)) ||
    (redTarget && !names.some((name) => byName.get(name)?.mends));
  const done: Simulated = {
    train: newTrain(
      "base",
      branches.map(({ name }) => name),
      rate,
    ),
    gateRuns: 0,
    trees: 0,
    flakes: 0,
    targets: [],
    steps: 0,
  };
  const inside = (commit: string) => contents.get(commit) ?? [];
  let next = 1;
  const commitOf = (names: string[]) => {
    const commit = `c${next++}`;
    contents.set(commit, names);
    return commit;
  };
  const run = (names: readonly string[]) => {
    done.gateRuns += 1;
    return !isRed(names) && chance() >= flakes;
  };
  for (; done.steps < 100_000; done.steps += 1) {
    const step = nextLandStep(done.train);
    if (step.kind === "end") return done;
    let outcome: LandOutcome;
    if (step.kind === "stack") {
      let names = inside(step.base);
      const stack = [];
      const unfit = [];
      for (const name of step.names) {
        if (has(names, byName.get(name)?.conflicts)) {
          unfit.push({ name, why: "conflict", alone: stack.length === 0 } as const);
          continue;
        }
        names = [...names, name];
        stack.push({ name, commit: commitOf(names) });
      }
      outcome = { kind: "stacked", stack, unfit, there: [] };
    } else if (step.kind === "test") {
      done.trees += 1;
      const names = inside(step.commit);
      const first = run(names);
      const green = first || run(names);
      if (!first && green) done.flakes += 1;
      outcome = { kind: "tested", green };
    } else if (step.kind === "land") {
      if (chance() < moves) outcome = { kind: "moved", base: commitOf(inside(step.base)) };
      else {
        done.targets.push(inside(step.commit));
        outcome = { kind: "landed" };
      }
    } else outcome = { kind: "returned" };
    done.train = afterLandStep(done.train, outcome);
  }
  throw new Error("the train did not come to its end");
}

/** Whether a landing left the target red. */
export function redTargets({ targets }: Simulated, branches: readonly SimulatedBranch[]): string[][] {
  const byName = new Map(branches.map((branch) => [branch.name, branch]));
  return targets.filter((names) =>
    names.some((name) => {
      const branch = byName.get(name);
      return branch?.isRed === true || (branch?.clashes !== undefined && names.includes(branch.clashes));
    }),
  );
}
