/** Tries the gates as they were frozen on the tree as it is, in copies of the project: that says more than the words of a change. */
import { type ChangedFile, frozenOver } from "../core/gates/changed-files.ts";
import { type GateFileRules, hiddenFromTree } from "../core/gates/gate-files.ts";
import type { WeakerEvidence } from "../core/gates/gate-trust.ts";
import type { GateFiles, Snapshot, TreeCopy } from "../effects/ports.ts";

/** Runs a gate in a copy of the project. @returns null if a stop cut it short */
export type Probe = (command: string, gateFiles: "frozen" | "own", dir: string) => Promise<boolean | null>;

export type Trial = {
  tree: Snapshot;
  changed: readonly ChangedFile[];
  /** Paths of the changed files that may be why. */
  places: ReadonlySet<string>;
  rules: GateFileRules;
  probe: Probe;
};

/** "holds": the frozen gates are green too. Else what is weaker, and how that is known. */
export type TrialResult = "holds" | "stopped" | { commands: readonly string[]; evidence: WeakerEvidence };

export type FrozenTrial = (trial: Trial) => Promise<TrialResult>;

type TrialParts = { gateFiles: GateFiles; commands: readonly string[]; note(text: string): void };

/** @returns a trial; where copies cannot tell, the words of the change decide, which it notes once */
export function createFrozenTrial({ gateFiles, commands, note }: TrialParts): FrozenTrial {
  let hasTold = false;
  const byWords = (why: string): TrialResult => {
    if (!hasTold) note(`${why}: changes to the gates are judged by their words alone.`);
    hasTold = true;
    return { commands, evidence: "words" };
  };
  return async (trial) => {
    const red = await redInCopy(gateFiles, trial, { commands, gates: "frozen" });
    if (red === "stopped") return red;
    if (!Array.isArray(red)) return byWords(red.noCopy);
    if (red.length === 0) return "holds";
    const control = await redInCopy(gateFiles, trial, { commands: red, gates: "own" });
    if (control === "stopped") return control;
    if (!Array.isArray(control)) return byWords(control.noCopy);
    const proven = red.filter((command) => !control.includes(command));
    if (proven.length > 0) return { commands: proven, evidence: "frozen_gate_is_red" };
    return byWords("The gates are red in any copy of the project");
  };
}

type Gates = { commands: readonly string[]; gates: "frozen" | "own" };

/** Runs gates in a copy of the tree. @returns those that were red there, or why there was no copy */
async function redInCopy(
  gateFiles: GateFiles,
  { tree, changed, places, rules, probe }: Trial,
  { commands, gates }: Gates,
): Promise<string[] | "stopped" | { noCopy: string }> {
  const contents =
    gates === "own" ? changed.map(({ path, after }) => [path, after] as const) : oldGates(changed, places, rules);
  let copy: TreeCopy;
  try {
    copy = await gateFiles.copyTree(tree, new Map([...outside(gateFiles, tree, rules), ...contents]));
  } catch (error) {
    return { noCopy: `No copy of the project could be made (${(error as Error).message})` };
  }
  try {
    const red: string[] = [];
    for (const command of commands) {
      const passed = await probe(command, gates, copy.dir);
      if (passed === null) return "stopped";
      if (!passed) red.push(command);
    }
    return red;
  } finally {
    copy.remove();
  }
}

type Content = readonly [path: string, content: Uint8Array | null];

/** The old contents of the changed gate files; files that the agent added stay, unless they are what weakens the gates. */
function oldGates(changed: readonly ChangedFile[], places: ReadonlySet<string>, rules: GateFileRules): Content[] {
  return changed.flatMap(({ path, before, after }): Content[] => {
    if (before?.content != null) return [[path, frozenOver(path, before.content, after, rules)]];
    return before === null && places.has(path) ? [[path, null]] : [];
  });
}

/** What gates run and the tree does not have: a copy lacks it, or has it only as a link. */
function outside(gateFiles: GateFiles, tree: Snapshot, rules: GateFileRules): Content[] {
  const files = gateFiles.list(tree);
  return hiddenFromTree(rules).flatMap((path): Content[] => {
    const content = files.has(path) ? null : gateFiles.read(path);
    return content === null ? [] : [[path, content]];
  });
}
