/** What the author of a branch is told when it comes back, and what the commit says that lands one. */
import { describeGateExit, type GateRecord } from "../decide/gate-rules.ts";
import type { WeakerReason } from "../gates/compare.ts";
import { reasonText } from "../gates/weakened-text.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";
import type { LandTask } from "./tick.ts";

const SUBJECT_CHARS = 72;
const OUTPUT_CHARS = 4000;
const DIFF_CHARS = 4000;

/** The message of the commit that brings a branch to the target. */
export function landMessage(branch: string, task: LandTask | null): string {
  const whole = `Land: ${singleLine(task?.text ?? branch)}`;
  const subject = truncate(whole, SUBJECT_CHARS);
  const about = task === null ? [] : [`Ralph-Task: ${task.id}`];
  const words = task === null || subject === whole ? [] : [task.text, ""];
  return [subject, "", ...words, ...about, `Ralph-Branch: ${branch}`, ""].join("\n");
}

/** A check that is red on the target with this branch, and green without it. */
export function redMessage(gate: GateRecord, target: string): string {
  const what = gate.hidden === undefined ? `\`${gate.command}\`` : gate.command;
  const said =
    gate.hidden === undefined
      ? [...named(gate), "What it printed:", fenced(truncate(gate.tail.trimEnd(), OUTPUT_CHARS))]
      : [`It requires: ${gate.hidden.requirement ?? "something that is not told"}`];
  return [
    `This work did not land: with it on ${target}, ${what} ${describeGateExit(gate)}, twice on the same files. Without it ${target} passes.`,
    ...said,
  ].join("\n\n");
}

/** What failed, where the output names it: its end often has only counts. */
function named({ failing = [] }: GateRecord): string[] {
  return failing.length === 0 ? [] : [`It names:\n${fenced(failing.join("\n"))}`];
}

/** A branch that makes the checks check less. */
export function weakerMessage(reasons: readonly WeakerReason[], diff: string, target: string): string {
  const list = reasons.map((reason) => `- ${reasonText(reason)}`).join("\n");
  return [
    `This work did not land: it makes the gates of ${target} weaker, and fails them as they are.`,
    list,
    ...(diff === "" ? [] : [fenced(truncate(diff, DIFF_CHARS), "diff")]),
    "Make the work pass the gates as they are on the target.",
  ].join("\n\n");
}

/** Both sides of a conflict: what each was to do, and what it did to the files. */
export type ConflictSides = {
  paths: readonly string[];
  mine: { words: string; diff: string };
  /** `words`: the subjects of the commits on the target that changed these files meanwhile. */
  theirs: { words: readonly string[]; diff: string };
  /** What git said where it could not even begin. */
  said: string | null;
};

/** What the author of a branch is told if it conflicts with what was landed meanwhile. */
export function conflictMessage({ paths, mine, theirs, said }: ConflictSides, target: string): string {
  const files = paths.length === 0 ? [] : [`In conflict:\n${paths.map((path) => `- ${path}`).join("\n")}`];
  const others = theirs.words.length === 0 ? ["- (no commit names them)"] : theirs.words.map((words) => `- ${words}`);
  return [
    `This work did not land: it conflicts with what is on ${target} by now.`,
    ...(said === null ? [] : [`git says: ${said}`]),
    ...files,
    `What this work was to do: ${mine.words}`,
    `What it changed there:\n${fenced(truncate(mine.diff, DIFF_CHARS), "diff")}`,
    `What was landed meanwhile:\n${others.join("\n")}`,
    `What that changed there:\n${fenced(truncate(theirs.diff, DIFF_CHARS), "diff")}`,
    `Bring ${target} into this branch, keep what both were to do, and run the checks.`,
  ].join("\n\n");
}

function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
