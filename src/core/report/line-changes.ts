import type { ToolCall } from "../../driver.ts";
import { insideProject } from "../project-path.ts";

/** Lines of a file that an agent's tools added and removed; both 0 for a file changed in another way. */
export type FileReceipt = { path: string; added: number; removed: number };

export type LineChangeCounter = {
  started(call: ToolCall & { tool_id: string }): void;
  /** A failed call changed nothing. */
  failed(toolId: string): void;
  /**
   * Finishes the count of an iteration, and starts the next.
   * @param keep whether the lines of a path count: a tool may have written identical content
   * @param changed all changed paths, by tools or otherwise
   * @returns all files, those with most changed lines first
   */
  settle(keep: (path: string) => boolean, changed: readonly string[]): FileReceipt[];
};

/** The folder of the project; with `foldCase` names ignore case. */
export type ProjectFolder = { project: string; foldCase: boolean };

/** Adds up the changes of one iteration's tools; a call counts unless it is reported as failed. */
export function createLineChangeCounter(project: ProjectFolder): LineChangeCounter {
  let done = createFileTotals();
  /** Calls without a reported failure so far, by their id. */
  const open = new Map<string, FileReceipt>();
  return {
    started(call) {
      const change = countChangedLines(call);
      if (change === null) return;
      const earlier = open.get(call.tool_id);
      if (earlier !== undefined) done.add([earlier]);
      open.set(call.tool_id, { ...change, path: evidencePath(change.path, project) });
    },
    failed: (toolId) => void open.delete(toolId),
    settle(keep, changed) {
      done.add([...open.values()]);
      open.clear();
      const kept = createFileTotals();
      kept.add(done.files().filter(({ path }) => keep(path)));
      kept.add(changed.map((path) => ({ path, added: 0, removed: 0 })));
      done = createFileTotals();
      return kept.files();
    },
  };
}

export type FileTotals = {
  add(files: readonly FileReceipt[]): void;
  /** All files, those with most changed lines first. */
  files(): FileReceipt[];
};

/** Maximum number of files with figures of their own. */
const MAX_FILES = 10_000;

/** Adds up the changed lines of files. */
export function createFileTotals(): FileTotals {
  const sums = new Map<string, FileReceipt>();
  return {
    add(files) {
      for (const { path, added, removed } of files) {
        const sum = sums.get(path) ?? { path, added: 0, removed: 0 };
        if (sums.size < MAX_FILES) sums.set(path, sum);
        sum.added += added;
        sum.removed += removed;
      }
    },
    files: () => [...sums.values()].sort((a, b) => b.added + b.removed - a.added - a.removed),
  };
}

/** What a tool changed in a file: the lines that it took out and put in, and the equal ones around them. */
export type ToolChange = { path: string; above: string[]; removed: string[]; added: string[]; below: string[] };

/**
 * What an edit or a written file changes; null for any other tool. A written file has only added lines: what stood there
 * before is not known.
 */
export function toolChange(call: ToolCall): ToolChange | null {
  if (call.tool === "Write") {
    const added = splitContentLines(call.input.content);
    return { path: call.input.file_path, above: [], removed: [], added, below: [] };
  }
  return call.tool === "Edit" ? { path: call.input.file_path, ...changedLines(call.input) } : null;
}

function countChangedLines(call: ToolCall): FileReceipt | null {
  const change = toolChange(call);
  return change && { path: change.path, added: change.added.length, removed: change.removed.length };
}

function changedLines({
  old_string,
  new_string,
}: {
  old_string: string;
  new_string: string;
}): Omit<ToolChange, "path"> {
  const before = splitContentLines(old_string);
  const after = splitContentLines(new_string);
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return {
    above: before.slice(0, head),
    removed: before.slice(head, before.length - tail),
    added: after.slice(head, after.length - tail),
    below: before.slice(before.length - tail),
  };
}

/** The lines of a text; its final line end starts no further line. */
export function splitContentLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A path in the form of the evidence: relative to the project, with forward slashes. */
export function evidencePath(path: string, { project, foldCase }: ProjectFolder): string {
  return insideProject(path, project, foldCase) ?? path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}
