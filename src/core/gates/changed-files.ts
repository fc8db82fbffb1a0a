/** The files of the gates that are not as they were frozen. */

import { changedLines } from "../text/changed-lines.ts";
import { count } from "../text/count.ts";
import { truncate } from "../text/truncate.ts";
import type { FileChange } from "./compare.ts";
import { gateParts, withFrozenParts } from "./frozen-parts.ts";
import { type GateFileRules, isCheck } from "./gate-files.ts";
import { type FrozenFile, type FrozenFiles, textOf } from "./kept-gates.ts";

const DIFF_FILES = 4;
const DIFF_LINES = 8;
const DIFF_CHARS = 2000;

/** A gate file that differs from the frozen one; null for none. */
export type ChangedFile = { path: string; before: FrozenFile | null; after: Uint8Array | null };

/** The gate files whose part in the gates differs from the frozen one, sorted by path. */
export function changedGateFiles(
  files: { read(path: string): Uint8Array | null },
  frozen: FrozenFiles,
  now: ReadonlyMap<string, string>,
  rules: GateFileRules,
): ChangedFile[] {
  const paths = [...new Set([...frozen.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => {
    const before = frozen.get(path) ?? null;
    if (before?.id === now.get(path)) return [];
    const file = { path, before, after: now.has(path) ? files.read(path) : null };
    return isSameGate(file, rules) ? [] : [file];
  });
}

/** The file with the gate's parts as they were, and all else as it is. */
export function frozenOver(
  path: string,
  before: Uint8Array,
  after: Uint8Array | null,
  rules: GateFileRules | null,
): Uint8Array {
  if (after === null || rules === null) return before;
  const [old, now] = [textOf(before), textOf(after)];
  const merged = withFrozenParts(path, old, now, rules);
  // A file that is all gate goes back byte by byte: it may be no text.
  return merged === old ? before : new TextEncoder().encode(merged);
}

/** A few changed lines of each file, in words that a person and an agent can read. */
export function describeChanges(files: readonly ChangedFile[], rules: GateFileRules | null): string {
  const parts = files.slice(0, DIFF_FILES).map((file) => {
    const { path, before, after } = asTexts(file, rules);
    const lines = before !== null && after === null ? [] : changedLines(before ?? "", after ?? "", DIFF_LINES);
    return [`${path}${after === null ? " (deleted)" : ""}`, ...lines.map((line) => `  ${line}`)].join("\n");
  });
  const more = files.length > DIFF_FILES ? [`… and ${count(files.length - DIFF_FILES, "more file")}`] : [];
  return truncate([...parts, ...more].join("\n"), DIFF_CHARS);
}

function isSameGate({ path, before, after }: ChangedFile, rules: GateFileRules): boolean {
  if (before === null || after === null) return false;
  if (before.content === null) return false;
  return gateParts(path, textOf(before.content), rules) === gateParts(path, textOf(after), rules);
}

/** The parts of a file that are gate, before and after. One that was not kept counts as if all of it had been other words. */
export function asTexts({ path, before, after }: ChangedFile, rules: GateFileRules | null): FileChange {
  const part = (content: Uint8Array) => (rules === null ? textOf(content) : gateParts(path, textOf(content), rules));
  const old = before === null ? null : before.content === null ? "(not kept)" : part(before.content);
  const isAll = rules !== null && isCheck(path, rules);
  return { path, before: old, after: after === null ? null : part(after), ...(isAll ? { isCheck: true } : {}) };
}
