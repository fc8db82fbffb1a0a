import { type GateRecord, hasGates } from "../../core/decide/gate-rules.ts";
import { RalphError } from "../../core/errors.ts";
import { warning } from "../../core/journal/warning.ts";
import type { LandedBranch } from "../../core/land/land-state.ts";
import { conflictMessage, redMessage } from "../../core/land/messages.ts";
import { MissingTargetError } from "../../core/land/missing-target.ts";
import {
  afterLandStep,
  type LandOutcome,
  type LandStep,
  newTrain,
  nextLandStep,
  type Stacked,
  type Train,
} from "../../core/land/train.ts";
import { firstTasks } from "../../core/plan/taken-off-text.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { reasonOf } from "../../core/system-error.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { LandBranch, LandYard, LeftBranch } from "../../effects/ports.ts";
import { checkpointNow, noteMissed } from "../checkpoint.ts";
import type { Run } from "../run.ts";
import { type GatesThere, runGatesIn } from "./gates.ts";
import { createLandGuard, type LandGuard } from "./land-guard.ts";

export type LandOptions = {
  yard: LandYard;
  /** Branches by name, in this order; null: all that were handed in. */
  named: readonly string[] | null;
  /** Without a gate: land all the same. */
  untested: boolean;
  /** Take branches that make the checks weaker, too. */
  acceptWeaker: boolean;
};

/** A branch that did not land, and what its author is told. */
export type ReturnedBranch = {
  branch: LandBranch;
  why: "red" | "conflict" | "weaker";
  /** What became of its task; "kept": it has none, and is as it was. */
  claim: "returned" | "parked" | "gone" | "kept";
  message: string;
};

/** One pass over the candidates. */
export type LandResult = {
  target: string;
  /** The target's commit at the start and at the end. */
  from: string;
  to: string;
  landed: LandBranch[];
  returned: ReturnedBranch[];
  /** Neither the one nor the other, and why. */
  left: LeftBranch[];
  /** Trees that were tested. */
  tested: number;
  flakes: number;
  /** A stop cut it short: what was not settled waits. */
  stopped: boolean;
};

/**
 * Lands branches: stacks them on the target, tests the tip, and moves the target to exactly the commit that was tested (product.md
 * "Land"). One pass: what is handed in meanwhile waits for the next. Records what it does; the caller ends the run.
 * @throws RalphError `environment` without a gate unless `untested`, or if git fails; the target is as the journal says
 */
export async function landBranches(run: Run, options: LandOptions): Promise<LandResult> {
  const { yard } = options;
  requireLandGates(run.settings, options);
  await finishMove(run, yard);
  const { branches, without } = await yard.candidates(options.named);
  const from = await yard.tip();
  const before = run.state().land;
  const result: LandResult = {
    ...{ target: yard.target, from, to: from, landed: [], returned: [], left: [...without] },
    ...{ tested: 0, flakes: 0, stopped: false },
  };
  const names = branches.map(({ name }) => name);
  const work: Work = {
    run,
    options,
    result,
    branches: new Map(branches.map((branch) => [branch.name, branch])),
    red: new Map(),
    refusal: "",
  };
  let train = newTrain(from, names, before.rate);
  try {
    for (;;) {
      const step = nextLandStep(train);
      if (step.kind === "end") break;
      const outcome = await carryOut(work, train, step).catch((error: unknown) => {
        if (isStopped(work)) return null;
        throw error;
      });
      if (outcome === null) {
        result.stopped = true;
        break;
      }
      train = afterLandStep(train, outcome);
      result.to = train.base;
    }
  } finally {
    await yard.close();
  }
  addLeft(work, train);
  const { land } = run.state();
  return { ...result, tested: land.tested - before.tested, flakes: land.flakes - before.flakes };
}

/** What a pass works with. */
type Work = {
  run: Run;
  options: LandOptions;
  result: LandResult;
  branches: ReadonlyMap<string, LandBranch>;
  /** The newest red gate of a stack, by the name of its last branch. */
  red: Map<string, GateRecord>;
  /** Why the target could not be moved. */
  refusal: string;
};

/**
 * Tests the target as it is.
 * @returns the first gate that is red; null where none is, or a stop cut it short
 */
export async function redOnTarget(run: Run, yard: LandYard): Promise<GateRecord | null> {
  const commit = await yard.tip();
  try {
    const began = run.world.runningMs();
    await yard.open(commit, run.stops.killSignal);
    const dir = await yard.checkOut(commit);
    const gates = await testIn(run, dir, { target: yard.target, commit, names: [], began });
    return gates?.red ?? null;
  } finally {
    await yard.close();
  }
}

/** @throws RalphError `environment` if nothing would test what this command lands */
export function requireLandGates(
  settings: Settings,
  { untested }: Pick<LandOptions, "untested">,
  command = "ralph land",
): void {
  if (untested || hasGates(settings)) return;
  throw new RalphError("environment", "Nothing checks what would be landed: this project has no gate.", {
    hint: `Set one with: ralph gates adopt COMMAND. Or land untested: ${command} --untested`,
  });
}

/** Ends what a kill cut short between the target's move and its record. */
async function finishMove(run: Run, yard: LandYard): Promise<void> {
  const { open } = run.state().land;
  if (open === null || open.target !== yard.target) return;
  const tip = await yard.tip();
  if (!(await yard.isIn(open.to, tip))) return;
  await yard.candidates(null);
  const landed: LandedBranch[] = [];
  // The journal may have come with a clone: a branch goes only if the target has it.
  for (const branch of open.branches) if (await yard.isIn(branch.commit, tip)) landed.push(branch);
  const ticks = await settleIn(run, yard, landed.map(asBranch));
  run.append({ type: "landed", target: open.target, from: open.to, to: open.to, branches: landed, ...ticks });
}

function asBranch({ name, commit, task, text }: LandedBranch): LandBranch {
  return { name, commit, task: task === null ? null : { id: task, text: text ?? "" } };
}

function asLanded({ name, commit, task }: LandBranch): LandedBranch {
  return { name, commit, task: task?.id ?? null, text: task?.text ?? null };
}

/** @returns null if a stop cut it short */
async function carryOut(work: Work, train: Train, step: LandStep): Promise<LandOutcome | null> {
  if (isStopped(work) || work.run.state().stop_requested !== null) return null;
  switch (step.kind) {
    case "stack":
      return stack(work, train, step);
    case "test":
      return test(work, step);
    case "land":
      return land(work, step);
    case "return":
      await giveBack(work, step.name, "red");
      return { kind: "returned" };
    case "end":
      return null;
  }
}

/** Whether git was ended by a stop: what it says then is no fault of a branch. */
function isStopped({ run }: Work): boolean {
  return run.stops.killSignal.aborted;
}

type Step<Kind extends LandStep["kind"]> = Extract<LandStep, { kind: Kind }>;

async function stack(work: Work, train: Train, { base, names }: Step<"stack">): Promise<LandOutcome | null> {
  try {
    await work.options.yard.open(base, work.run.stops.killSignal);
  } catch (error) {
    if (isStopped(work)) return null;
    return refuse(work, environmentReason(error));
  }
  const guard = createLandGuard(work.run, work.options.yard);
  const stack: Stacked[] = [];
  const unfit: Unfit[] = [];
  const there: string[] = [];
  for (const branch of branchesOf(work, names)) {
    const { name } = branch;
    const alone = stack.length === 0;
    const put = await putOn(work, branch, { below: stack.at(-1)?.commit ?? base, alone, guard });
    if (put === null) return null;
    if (put.kind === "stacked") stack.push({ name, commit: put.commit });
    else if (put.kind === "there") there.push(name);
    else unfit.push({ name, why: put.why, alone });
    if (put.kind !== "unfit" || put.message === null) continue;
    if (put.why === "unreadable") leave(work, name, put.message);
    else await giveBack(work, name, put.why, { message: put.message, files: put.files });
  }
  if (there.length > 0) await settle(work, branchesOf(work, there), { from: base, to: base });
  const outcome = { kind: "stacked", stack, unfit, there } as const;
  if (stack.length > 0) recordStack(work, train, base, outcome);
  return outcome;
}

type StackOutcome = Extract<LandOutcome, { kind: "stacked" }>;
type Unfit = StackOutcome["unfit"][number];

/** `message`: what its author is told; null where it may fit once what is below it has landed. */
type Put =
  | { kind: "stacked"; commit: string }
  | { kind: "there" }
  | { kind: "unfit"; why: Unfit["why"]; message: string | null; files?: readonly string[] };

/** @param alone nothing but the target is below it */
type Place = { below: string; alone: boolean; guard: LandGuard };

/**
 * Puts a branch on what is below it.
 * @returns null if a stop cut it short
 */
async function putOn(work: Work, branch: LandBranch, place: Place): Promise<Put | null> {
  try {
    return await mergeOn(work, branch, place);
  } catch (error) {
    if (isStopped(work)) return null;
    const message = environmentReason(error);
    return { kind: "unfit", why: "unreadable", message: place.alone ? message : null };
  }
}

async function mergeOn(work: Work, branch: LandBranch, { below, alone, guard }: Place): Promise<Put | null> {
  const { yard, acceptWeaker } = work.options;
  const put = await yard.put(branch, below);
  if (put.kind === "there") return alone ? put : { kind: "unfit", why: "conflict", message: null };
  if (put.kind === "conflict") {
    const message = alone ? conflictMessage(put.sides, yard.target) : null;
    return { kind: "unfit", why: "conflict", message, files: put.sides.paths };
  }
  const stacked = { kind: "stacked", commit: put.commit } as const;
  const suspect = acceptWeaker ? null : await guard.suspect(put.commit);
  if (suspect === null) return stacked;
  if (!alone) return { kind: "unfit", why: "weaker", message: null };
  const judged = await guard.judge(suspect, gateName(work.run));
  if (judged === "stopped") return null;
  return judged === null ? stacked : { kind: "unfit", why: "weaker", message: judged };
}

function recordStack({ run, options }: Work, train: Train, base: string, { stack, unfit, there }: StackOutcome): void {
  const waiting = train.waiting.length - stack.length - there.length - unfit.filter(({ alone }) => alone).length;
  const untested = hasGates(run.settings) ? {} : ({ untested: true } as const);
  const { target } = options.yard;
  const tip = stack.at(-1)?.commit ?? base;
  const branches = stack.map(({ name }) => name);
  run.append({ type: "land_stacked", target, base, tip, branches, waiting, ...untested });
}

async function test(work: Work, { commit, names }: Step<"test">): Promise<LandOutcome | null> {
  const { run, options, red } = work;
  // Nothing looks at it, and nothing is said to have.
  if (!hasGates(run.settings)) return { kind: "tested", green: true };
  const began = run.world.runningMs();
  let dir: string;
  try {
    dir = await options.yard.checkOut(commit);
  } catch (error) {
    if (isStopped(work)) return null;
    return refuse(work, environmentReason(error));
  }
  const gates = await testIn(run, dir, { target: options.yard.target, commit, names, began });
  if (gates === null) return null;
  const last = names.at(-1);
  if (gates.red !== null && last !== undefined) red.set(last, gates.red);
  return { kind: "tested", green: gates.red === null };
}

/** `began`: when the checkout did. */
type Tested = { target: string; commit: string; names: readonly string[]; began: number };

/** Runs the gates on a commit that is checked out. @returns null if a stop cut it short */
async function testIn(run: Run, dir: string, { target, commit, names, began }: Tested): Promise<GatesThere | null> {
  const gates = await runGatesIn(run, { dir, name: gateName(run) });
  if (gates === null) return null;
  const ms = run.world.runningMs() - began;
  run.append({
    ...({ type: "land_tested", target, commit, branches: [...names] } as const),
    ...{ green: gates.red === null, flaky: gates.flaky, ms },
  });
  return gates;
}

async function land(work: Work, { base, commit, names }: Step<"land">): Promise<LandOutcome> {
  const { run, options } = work;
  const { yard } = options;
  const branches = branchesOf(work, names);
  const written = await keepFiles(work);
  const move = { target: yard.target, from: base, to: commit, branches: branches.map(asLanded) };
  run.append({ type: "landing", ...move });
  const moved = await yard.move(base, commit, branches);
  if (moved.kind === "done") {
    await settle(work, branches, { from: base, to: commit });
    if (moved.behind !== undefined) {
      const { paths, command } = moved.behind;
      const what = `Checked out here at an older commit than what landed, and a commit of all would take that back: ${paths.join(", ")}.`;
      run.append(warning(`${what} Bring it along with: ${command}`));
    }
    return { kind: "landed" };
  }
  if (moved.kind === "refused") {
    const wayBack = await written();
    return refuse(work, wayBack === "" ? moved.why : `${moved.why.replace(/\.?$/, ".")} ${wayBack}`);
  }
  try {
    const tip = await yard.tip();
    run.append({ type: "land_held", target: yard.target, why: "moved", text: "somebody else has moved it" });
    return { kind: "moved", base: tip };
  } catch (error) {
    if (error instanceof MissingTargetError) return refuse(work, environmentReason(error));
    throw error;
  }
}

function refuse(work: Work, why: string): LandOutcome {
  const { run, options } = work;
  work.refusal = why;
  run.append({ type: "land_held", target: options.yard.target, why: "refused", text: why });
  return { kind: "refused" };
}

/** Leaves a branch as it is, for a person. */
function leave({ run, result }: Work, name: string, why: string): void {
  run.append(warning(`Not landed: ${singleLine(name)}: ${singleLine(why)}`));
  result.left.push({ name, why });
}

/** What a person has to mend, in words. @throws the error itself if it is another one */
function environmentReason(error: unknown): string {
  if (!(error instanceof RalphError) || error.code !== "environment") throw error;
  return error.hint === null ? error.message : `${error.message.replace(/\.?$/, ".")} ${error.hint}`;
}

/**
 * What a person has not committed is kept before the files around it change.
 * @returns tells how to take back what git wrote of the landing, after it failed; "" where it wrote nothing
 */
async function keepFiles({ run, options }: Work): Promise<() => Promise<string>> {
  const nothing = async () => "";
  if (!(await options.yard.touchesProject())) return nothing;
  const { tested, landed } = run.state().land;
  const name = `land-${tested + landed}`;
  try {
    const made = await checkpointNow(run, { name, before: "landing", onlyNew: false });
    if (made === null) return nothing;
    const { fingerprint, snapshot } = run.world.workspace;
    return async () =>
      fingerprint(await snapshot()) === fingerprint(made.tree)
        ? ""
        : `Take back what it wrote with: ralph undo --to ${name}`;
  } catch (error) {
    noteMissed(run, name, reasonOf(error), "It is landed all the same");
    return nothing;
  }
}

async function settle(
  { run, options, result }: Work,
  branches: readonly LandBranch[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { yard } = options;
  const ticks = await settleIn(run, yard, branches);
  run.append({ type: "landed", target: yard.target, from, to, branches: branches.map(asLanded), ...ticks });
  result.landed.push(...branches);
}

/** @returns what the `landed` event tells of ticks that came along */
async function settleIn(run: Run, yard: LandYard, branches: readonly LandBranch[]): Promise<{ ticked?: string[] }> {
  const carried = await yard.settle(branches);
  for (const { tasks, why } of carried) {
    const text = `Not ticked in the plan: ${firstTasks(tasks)}. ${why ?? ""} Once that is mended, land it again.`;
    if (why !== null) run.append(warning(text));
  }
  const ticked = carried.flatMap(({ tasks, why }) => (why === null ? tasks : []));
  return ticked.length === 0 ? {} : { ticked };
}

async function giveBack(
  work: Work,
  name: string,
  why: ReturnedBranch["why"],
  told: { message: string; files?: readonly string[] | undefined } | null = null,
): Promise<void> {
  const { run, options, result, red } = work;
  const { yard } = options;
  const [branch] = branchesOf(work, [name]);
  if (branch === undefined) return;
  const gate = red.get(name);
  const message = run.masks.text(
    told?.message ?? (gate === undefined ? "Its gates are red." : redMessage(gate, yard.target)),
  );
  const claim = await yard.giveBack(branch, why === "conflict" ? "conflict" : "red", message);
  const task = { task: branch.task?.id ?? null, text: branch.task?.text ?? null };
  const { files = [] } = told ?? {};
  const inConflict = files.length === 0 ? {} : { files: [...files] };
  run.append({ type: "land_returned", branch: name, ...task, why, claim, message, ...inConflict });
  result.returned.push({ branch, why, claim, message });
}

function branchesOf({ branches }: Work, names: readonly string[]): LandBranch[] {
  return names.flatMap((name) => branches.get(name) ?? []);
}

/** The beginning of the names of the files with what the next gates print. */
function gateName(run: Run): string {
  return `land-${run.state().seq}`;
}

/** What neither landed nor went back. */
function addLeft({ run, options, result, refusal }: Work, train: Train): void {
  const { target } = options.yard;
  const why = {
    red_target: `the gates of ${target} are red without it, and with it too`,
    moving_target: `${target} kept being moved by others while it was tested`,
    refused: `${target} cannot be moved: ${refusal}`,
  } as const;
  for (const { name, as, why: reason } of train.settled) {
    if (as !== "left" || reason === null || !(reason in why)) continue;
    result.left.push({ name, why: why[reason as keyof typeof why] });
  }
  const waits = [...(train.batch?.stack.map(({ name }) => name) ?? []), ...train.waiting];
  for (const name of result.stopped ? waits : []) result.left.push({ name, why: "it was stopped before its turn" });
  if (train.settled.some((one) => one.why === "red_target"))
    run.append({ type: "land_held", target, why: "red_target", text: why.red_target });
}
