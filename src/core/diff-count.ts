import type { ToolCall } from "../driver.ts";

/** Lines of a file that an agent's tools wrote and took away; both 0 for one that changed in another way. */
export type FileReceipt = { path: string; added: number; removed: number };

export type DiffCount = {
  add(call: ToolCall, project: string): void;
  /** Takes in paths that changed in whatever way. @returns all files, those with most changed lines first */
  files(changed: readonly string[]): FileReceipt[];
  added(): number;
  removed(): number;
};

/** A run that touches more files than this is not counted to the end. */
const MOST = 10_000;

/** Adds up what edits change. Pure but for itself: it knows only the calls that it is given. */
export function createDiffCount(): DiffCount {
  const files = new Map<string, FileReceipt>();
  let added = 0;
  let removed = 0;
  const fileAt = (path: string): FileReceipt => {
    const file = files.get(path) ?? { path, added: 0, removed: 0 };
    if (files.size < MOST) files.set(path, file);
    return file;
  };
  return {
    add(call, project) {
      const change = changeOf(call);
      if (change === null) return;
      const file = fileAt(below(change.path, project));
      file.added += change.added;
      file.removed += change.removed;
      added += change.added;
      removed += change.removed;
    },
    files(changed) {
      for (const path of changed) fileAt(path);
      return [...files.values()].sort((a, b) => b.added + b.removed - a.added - a.removed);
    },
    added: () => added,
    removed: () => removed,
  };
}

/** The lines that an edit or a written file changes, without those that it leaves as they are at both ends. */
export function changeOf(call: ToolCall): FileReceipt | null {
  if (call.tool === "Write")
    return { path: call.input.file_path, added: linesOf(call.input.content).length, removed: 0 };
  if (call.tool !== "Edit") return null;
  const { before, after } = changedLines(call.input);
  return { path: call.input.file_path, added: after.length, removed: before.length };
}

/** The lines of an edit that differ. */
export function changedLines({ old_string, new_string }: { old_string: string; new_string: string }): {
  before: string[];
  after: string[];
} {
  const before = linesOf(old_string);
  const after = linesOf(new_string);
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { before: before.slice(head, before.length - tail), after: after.slice(head, after.length - tail) };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function below(path: string, project: string): string {
  const inside = path.startsWith(project) ? path.slice(project.length).replace(/^[\\/]/, "") : path;
  return inside.replaceAll("\\", "/");
}
