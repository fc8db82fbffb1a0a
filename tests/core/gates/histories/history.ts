import type { FileChange } from "../../../../src/core/gates/compare.ts";

/** One commit that touches tests or their configuration. */
export type History = { name: string; changes: FileChange[] };

type Edit = readonly [from: string, to: string];

/** A text with passages replaced; each must be there, so that no history is about nothing. */
export function edited(text: string, ...edits: readonly Edit[]): string {
  return edits.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`not in the text: ${from}`);
    return now.replaceAll(from, to);
  }, text);
}

/** A commit that changes one file. */
export function commit(name: string, path: string, before: string, ...edits: readonly Edit[]): History {
  return { name, changes: [{ path, before, after: edited(before, ...edits) }] };
}
