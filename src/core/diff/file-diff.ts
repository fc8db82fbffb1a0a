import { diffLines, quoted } from "./unified-diff.ts";

/** One side of a file's change. `bytes` is null for a content that is too large to read. */
export type Content = {
  bytes: Uint8Array | null;
  /** Git's mode in octal: 100644, 100755, 120000 (link) or 160000 (submodule). */
  mode: string;
  /** Identifies the content; equal for equal content. */
  id: string;
};

/** A file before and after; null where there is none. */
export type FileChange = { path: string; before: Content | null; after: Content | null };

/** Why a file's lines are not told. */
export type Omission = "binary" | "large";

/** The change of a file, as lines of a unified diff. */
export type FileDiff = {
  path: string;
  /** Its path before it was renamed. */
  from: string | null;
  change: "added" | "deleted" | "changed" | "renamed";
  added: number;
  removed: number;
  omitted: Omission | null;
  /** In the format of `git diff`, the file's header first. */
  lines: string[];
};

/** A content above this size is told in a line. */
export const MAX_DIFF_BYTES = 1024 * 1024;
/** Where git looks for a NUL that tells a binary file. */
const BINARY_BYTES = 8000;
/** The share of common lines from which a deleted and a new file are one that was renamed, as in git. */
const RENAME_SHARE = 0.5;
/** Beyond this many deleted or new files only those with equal content are taken as renamed. */
const MAX_RENAME_FILES = 100;

/** The changes of files as diffs, by path; a file that was moved is one change. */
export function diffFiles(changes: readonly FileChange[]): FileDiff[] {
  const moved = findRenames(changes);
  const gone = new Set(moved.values());
  return changes
    .filter((change) => !gone.has(change))
    .map((change) => diffFile(change, moved.get(change) ?? null))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function diffFile({ path, before, after }: FileChange, source: FileChange | null): FileDiff {
  const old = source?.before ?? before;
  const from = source?.path ?? null;
  const change = from !== null ? "renamed" : old === null ? "added" : after === null ? "deleted" : "changed";
  const omitted = old?.id === after?.id ? null : omissionOf([old, after]);
  const hunks = omitted !== null || old?.id === after?.id ? [] : diffLines(textOf(old), textOf(after));
  const lines = [...header({ path, from, old, after }), ...body({ path, from, old, after, omitted, hunks })];
  return { path, from, change, ...countDiff(hunks), omitted, lines };
}

type Sides = { path: string; from: string | null; old: Content | null; after: Content | null };

function header({ path, from, old, after }: Sides): string[] {
  return [
    `diff --git ${quoted(`a/${from ?? path}`)} ${quoted(`b/${path}`)}`,
    ...(old === null ? [`new file mode ${after?.mode ?? "100644"}`] : []),
    ...(after === null ? [`deleted file mode ${old?.mode ?? "100644"}`] : []),
    ...(old !== null && after !== null && old.mode !== after.mode
      ? [`old mode ${old.mode}`, `new mode ${after.mode}`]
      : []),
    ...(from === null ? [] : [`rename from ${quoted(from)}`, `rename to ${quoted(path)}`]),
  ];
}

function body(parts: Sides & { omitted: Omission | null; hunks: readonly string[] }): string[] {
  const { path, from, old, after, omitted, hunks } = parts;
  const names = [
    old === null ? "/dev/null" : quoted(`a/${from ?? path}`),
    after === null ? "/dev/null" : quoted(`b/${path}`),
  ];
  const [before = "", now = ""] = names;
  if (omitted !== null) return [`${omitted === "binary" ? "Binary" : "Large"} files ${before} and ${now} differ`];
  // A name with blanks ends at a tab.
  const end = (name: string) => (name.includes(" ") ? `${name}\t` : name);
  return hunks.length === 0 ? [] : [`--- ${end(before)}`, `+++ ${end(now)}`, ...hunks];
}

/** The lines that the hunks of a diff add and remove. */
export function countDiff(hunks: readonly string[]): { added: number; removed: number } {
  const of = (mark: string) => hunks.filter((line) => line.startsWith(mark)).length;
  return { added: of("+"), removed: of("-") };
}

function omissionOf(sides: readonly (Content | null)[]): Omission | null {
  const contents = sides.filter((side) => side !== null);
  if (contents.some(({ bytes }) => bytes?.subarray(0, BINARY_BYTES).includes(0))) return "binary";
  return contents.some(({ bytes }) => bytes === null || bytes.length > MAX_DIFF_BYTES) ? "large" : null;
}

function textOf(content: Content | null): string {
  return content?.bytes == null ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes);
}

/** The deleted file that each new one was, if any: first by equal content, then the most alike. */
function findRenames(changes: readonly FileChange[]): Map<FileChange, FileChange> {
  const deleted = changes.filter(({ before, after }) => before !== null && after === null);
  const added = changes.filter(({ before, after }) => before === null && after !== null);
  const moved = new Map<FileChange, FileChange>();
  const taken = new Set<FileChange>();
  const pair = (now: FileChange, old: FileChange): void => {
    moved.set(now, old);
    taken.add(old);
  };
  for (const now of added) {
    const same = deleted.find((old) => !taken.has(old) && old.before?.id === now.after?.id);
    // Empty files are all alike.
    if (same !== undefined && now.after?.bytes?.length !== 0) pair(now, same);
  }
  const open = added.filter((now) => !moved.has(now));
  const left = deleted.filter((old) => !taken.has(old));
  if (open.length > MAX_RENAME_FILES || left.length > MAX_RENAME_FILES) return moved;
  const bags = new Map([...open, ...left].map((change) => [change, linesOf(change.after ?? change.before)]));
  const alike = open
    .flatMap((now) => left.map((old) => ({ now, old, share: shareOf(bags.get(now), bags.get(old)) })))
    .filter(({ share }) => share >= RENAME_SHARE)
    .sort((a, b) => b.share - a.share);
  for (const { now, old } of alike) if (!moved.has(now) && !taken.has(old)) pair(now, old);
  return moved;
}

type Lines = { total: number; counts: ReadonlyMap<string, number> };

/** The lines of a text, each with the characters that it stands for; null for anything else. */
function linesOf(content: Content | null): Lines | null {
  if (content === null || !content.mode.startsWith("100") || omissionOf([content]) !== null) return null;
  const counts = new Map<string, number>();
  let total = 0;
  for (const line of textOf(content).split("\n")) {
    if (line.trim() === "") continue;
    counts.set(line, (counts.get(line) ?? 0) + 1);
    total += line.length;
  }
  return total === 0 ? null : { total, counts };
}

/** The share of the longer text that both have. */
function shareOf(a: Lines | null | undefined, b: Lines | null | undefined): number {
  if (a == null || b == null) return 0;
  let common = 0;
  for (const [line, times] of a.counts) common += Math.min(times, b.counts.get(line) ?? 0) * line.length;
  return common / Math.max(a.total, b.total);
}
