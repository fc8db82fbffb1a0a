/**
 * The merge train: which commit is tested next, what is landed and what goes back (product.md "Land"). Branches are stacked on the
 * target; the tip is tested; a red tip is searched for the first commit of the stack that is red while the one before it is green.
 * Every commit of the stack is final, so whatever is landed was tested itself.
 */
import { batchSize, type RedRate, withSettled } from "./red-rate.ts";

/** A branch in the stack, and the commit that has it and all before it. */
export type Stacked = { name: string; commit: string };

/** What became of a branch, and why it did not land. */
export type Settled = {
  name: string;
  as: "landed" | "returned" | "left";
  why: "red" | "conflict" | "weaker" | "unreadable" | "red_target" | "moving_target" | "refused" | null;
  /** The commit on the target that has it; null if it did not land. */
  commit: string | null;
};

/** The stack under test: the first `good` of it are green, the first `bad` are red; null while nothing is known to be red. */
type Batch = { stack: readonly Stacked[]; good: number; bad: number | null };

export type Train = {
  /** The target's commit, on which stacks are built. */
  base: string;
  /** Whether the target itself passes; it is only asked where it matters. */
  baseIs: "unknown" | "green" | "red";
  /** Branches that are not settled, in their order. */
  waiting: readonly string[];
  batch: Batch | null;
  /** The first red one behind what was landed. */
  culprit: string | null;
  rate: RedRate;
  /** How often the target moved under a batch since something was settled. */
  moved: number;
  settled: readonly Settled[];
};

export type LandStep =
  /** Stack these on the base, in this order. */
  | { kind: "stack"; base: string; names: readonly string[] }
  /** Run the gates on this commit; `names` are the branches in it, none for the target itself. */
  | { kind: "test"; commit: string; names: readonly string[] }
  /** Move the target from `base` to exactly this commit. */
  | { kind: "land"; base: string; commit: string; names: readonly string[] }
  /** Give this branch back to whoever made it. */
  | { kind: "return"; name: string; why: "red" }
  | { kind: "end" };

export type LandOutcome =
  | {
      kind: "stacked";
      stack: readonly Stacked[];
      /** Those that could not be put on what is below them. `alone`: nothing but the target is. */
      unfit: readonly { name: string; why: "conflict" | "weaker" | "unreadable"; alone: boolean }[];
      /** Already in the target. */
      there: readonly string[];
    }
  /** Red means: twice on the same tree. */
  | { kind: "tested"; green: boolean }
  | { kind: "landed" }
  | { kind: "moved"; base: string }
  /** The target cannot be moved whatever is landed: a person's files are in the way, the remote refuses, or it cannot be checked out. */
  | { kind: "refused" }
  | { kind: "returned" };

/** A target that moves so often under a batch is left to those who move it. */
export const MOST_MOVES = 8;

export function newTrain(base: string, names: readonly string[], rate: RedRate): Train {
  return { base, baseIs: "unknown", waiting: names, batch: null, culprit: null, rate, moved: 0, settled: [] };
}

export function nextLandStep({ base, baseIs, waiting, batch, culprit, rate }: Train): LandStep {
  if (culprit !== null) return { kind: "return", name: culprit, why: "red" };
  if (batch === null) {
    if (waiting.length === 0) return { kind: "end" };
    // On a red target a batch can only be green if it holds what mends it: each is tried alone.
    const size = baseIs === "red" ? 1 : batchSize(rate);
    return { kind: "stack", base, names: waiting.slice(0, size) };
  }
  const { stack, good } = batch;
  const length = nextLength(batch);
  const names = stack.slice(0, length ?? good).map(({ name }) => name);
  const commit = names.length === 0 ? base : (stack[names.length - 1]?.commit ?? base);
  return length === null ? { kind: "land", base, commit, names } : { kind: "test", commit, names };
}

/** How much of the stack to test next, 0 for the target itself; null once what can be landed is known. */
function nextLength({ stack, good, bad }: Batch): number | null {
  if (bad === null) return good === stack.length ? null : stack.length;
  if (bad - good > 1) return good + Math.floor((bad - good) / 2);
  // Nothing of it is green: is it the first branch, or the target?
  return good === 0 ? 0 : null;
}

export function afterLandStep(train: Train, outcome: LandOutcome): Train {
  switch (outcome.kind) {
    case "stacked":
      return afterStack(train, outcome);
    case "tested":
      return afterTest(train, outcome.green);
    case "landed":
      return afterLanding(train);
    case "moved": {
      const again = { ...unstacked(train), base: outcome.base, baseIs: "unknown", moved: train.moved + 1 } as const;
      return again.moved < MOST_MOVES ? again : leaveAll(again, "moving_target");
    }
    case "refused":
      return leaveAll(unstacked(train), "refused");
    case "returned": {
      const name = train.culprit ?? "";
      return { ...settle(train, [{ name, as: "returned", why: "red", commit: null }], 1), culprit: null };
    }
  }
}

type StackOutcome = Extract<LandOutcome, { kind: "stacked" }>;

/** One that only conflicts with another of its batch comes first next time: what it then meets is on the target. */
function afterStack(train: Train, { stack, unfit, there }: StackOutcome): Train {
  const seen = new Set([...stack, ...unfit].map(({ name }) => name).concat(there));
  const deferred = unfit.filter(({ alone }) => !alone).map(({ name }) => name);
  const waiting = [...deferred, ...train.waiting.filter((name) => !seen.has(name))];
  const settledAlone = unfit.filter(({ alone }) => alone);
  const settled: Settled[] = [
    ...there.map((name) => ({ name, as: "landed", why: null, commit: train.base }) as const),
    // What git cannot check out here is no fault of its author's.
    ...settledAlone.map(({ name, why }) => {
      return { name, as: why === "unreadable" ? "left" : "returned", why, commit: null } as const;
    }),
  ];
  const next = { ...train, waiting, settled: [...train.settled, ...settled] };
  return { ...next, batch: stack.length === 0 ? null : { stack, good: 0, bad: null } };
}

function afterTest(train: Train, green: boolean): Train {
  const { batch, baseIs } = train;
  const length = batch === null ? null : nextLength(batch);
  if (batch === null || length === null) return train;
  if (length === 0) return afterTarget(train, green);
  const next = { ...batch, ...(green ? { good: length } : { bad: length }) };
  const isFirst = next.good === 0 && next.bad === 1;
  // What the target is was asked before, or was seen when it was landed.
  if (isFirst && baseIs !== "unknown") return afterTarget({ ...train, batch: next }, baseIs === "green");
  return { ...train, batch: next };
}

/** The first branch of the stack is red: it is to blame if the target is green. */
function afterTarget(train: Train, green: boolean): Train {
  if (green) return blame({ ...train, baseIs: "green" }, 0);
  const { waiting } = unstacked(train);
  const [first = "", ...others] = waiting;
  const left = { name: first, as: "left", why: "red_target", commit: null } as const;
  return settle({ ...train, batch: null, baseIs: "red", waiting: others }, [left], 0);
}

/** What was landed is green, so the target is; the next of the stack is red. */
function afterLanding(train: Train): Train {
  const { batch } = train;
  const landed = batch?.stack.slice(0, batch.good) ?? [];
  const base = landed.at(-1)?.commit ?? train.base;
  const done = landed.map(({ name, commit }) => ({ name, as: "landed", why: null, commit }) as const);
  return blame({ ...settle(train, done, 0), base, baseIs: "green" }, landed.length);
}

/** The branch at `place` of the stack is red, what comes after it is stacked anew. */
function blame(train: Train, place: number): Train {
  const rest = train.batch?.stack.slice(place).map(({ name }) => name) ?? [];
  const [culprit = null, ...others] = rest;
  return { ...train, batch: null, culprit, waiting: [...others, ...train.waiting] };
}

function unstacked(train: Train): Train {
  const names = train.batch?.stack.map(({ name }) => name) ?? [];
  return { ...train, batch: null, waiting: [...names, ...train.waiting] };
}

function settle(train: Train, settled: readonly Settled[], red: number): Train {
  const counted = settled.filter(({ as }) => as !== "left").length;
  return {
    ...train,
    moved: 0,
    settled: [...train.settled, ...settled],
    rate: withSettled(train.rate, { red, settled: counted }),
  };
}

function leaveAll(train: Train, why: "moving_target" | "refused"): Train {
  const left = train.waiting.map((name) => ({ name, as: "left", why, commit: null }) as const);
  return { ...train, waiting: [], settled: [...train.settled, ...left] };
}
