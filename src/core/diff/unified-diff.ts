/** Lines of context around a change. */
const CONTEXT = 3;
/** Beyond this many differing lines a diff shows the old and the new text whole. */
const MAX_EDITS = 2000;

/** A file before and after; `before` is null for a new file. */
export type TextChange = { path: string; before: string | null; after: string };

/**
 * The change of a file in the format of `git apply` and `patch -p1`; empty if there is none. Lines keep their carriage
 * return, for a file with Windows line ends to patch cleanly.
 */
export function fileDiff({ path, before, after }: TextChange): string[] {
  if (before === after) return [];
  const mode = before === null ? ["new file mode 100644"] : [];
  const head = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`, ...mode];
  const hunks = diffLines(before ?? "", after);
  if (hunks.length === 0) return head;
  // A name with blanks ends at a tab.
  const end = path.includes(" ") ? "\t" : "";
  const from = before === null ? "/dev/null" : `${quoted(`a/${path}`)}${end}`;
  return [...head, `--- ${from}`, `+++ ${quoted(`b/${path}`)}${end}`, ...hunks];
}

/** Quotes a name like git if it contains special characters. */
export function quoted(name: string): string {
  if (!/["\\\n\t]/.test(name)) return name;
  return `"${name.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}

/** The unified diff of two texts, without the file header; empty if they are equal. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const rows = edits(splitDiffLines(before), splitDiffLines(after));
  return hunksOf(rows).flatMap(([start, end]) => {
    const hunk = rows.slice(start, end);
    const count = (mark: "-" | "+") => hunk.filter((row) => row.mark === " " || row.mark === mark).length;
    const range = (at: number, lines: number) => {
      // A side without lines names the line before the change.
      const first = lines === 0 ? at : at + 1;
      return lines === 1 ? `${first}` : `${first},${lines}`;
    };
    const [old, next] = [range(hunk[0]?.from ?? 0, count("-")), range(hunk[0]?.to ?? 0, count("+"))];
    return [
      `@@ -${old} +${next} @@`,
      ...hunk.flatMap(({ mark, text, isOpen }) => [`${mark}${text}`, ...(isOpen ? [OPEN] : [])]),
    ];
  });
}

/** Follows a last line that lacks a line end. */
const OPEN = "\\ No newline at end of file";

type Line = { text: string; isOpen: boolean };
type Row = Line & { mark: " " | "-" | "+"; from: number; to: number };

/** Start and end of each hunk: rows with a change within the context. */
function hunksOf(rows: readonly Row[]): [start: number, end: number][] {
  const hunks: [number, number][] = [];
  for (const [index, { mark }] of rows.entries()) {
    if (mark === " ") continue;
    const last = hunks.at(-1);
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(rows.length, index + CONTEXT + 1)];
    if (last !== undefined && start <= last[1]) last[1] = end;
    else hunks.push([start, end]);
  }
  return hunks;
}

/** Skips the equal start and end, and takes the longest common subsequence of the middle. */
function edits(old: readonly Line[], next: readonly Line[]): Row[] {
  const isSame = (a: Line | undefined, b: Line | undefined) => a?.text === b?.text && a?.isOpen === b?.isOpen;
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && isSame(old[head], next[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(old[old.length - 1 - tail], next[next.length - 1 - tail])) tail += 1;
  const rows: Row[] = [];
  const push = (mark: Row["mark"], line: Line | undefined, from: number, to: number) =>
    rows.push({ mark, text: line?.text ?? "", isOpen: line?.isOpen ?? false, from, to });
  for (let at = 0; at < head; at += 1) push(" ", old[at], at, at);
  middle(old.slice(head, old.length - tail), next.slice(head, next.length - tail), head, push);
  for (let at = tail; at > 0; at -= 1) push(" ", old[old.length - at], old.length - at, next.length - at);
  return rows;
}

function middle(
  a: readonly Line[],
  b: readonly Line[],
  head: number,
  push: (mark: Row["mark"], line: Line | undefined, from: number, to: number) => void,
): void {
  const isHuge = a.length * b.length > MAX_EDITS * MAX_EDITS;
  const keys = [a, b].map((lines) => lines.map(({ text, isOpen }) => `${text}${isOpen ? "\n" : ""}`));
  const [old = [], next = []] = keys;
  const lengths = isHuge ? null : commonLengths(old, next);
  let [i, j] = [0, 0];
  const common = (x: number, y: number) => lengths?.[x * (b.length + 1) + y] ?? 0;
  while (i < a.length || j < b.length) {
    if (lengths !== null && i < a.length && j < b.length && old[i] === next[j]) push(" ", a[i], head + i++, head + j++);
    else if (i < a.length && (j === b.length || common(i + 1, j) >= common(i, j + 1)))
      push("-", a[i], head + i++, head + j);
    else push("+", b[j], head + i, head + j++);
  }
}

function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const down = lengths[(i + 1) * width + j] ?? 0;
      const right = lengths[i * width + j + 1] ?? 0;
      lengths[i * width + j] = a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right);
    }
  }
  return lengths;
}

function splitDiffLines(text: string): Line[] {
  const lines = text.split("\n").map((line): Line => ({ text: line, isOpen: false }));
  const last = lines.pop();
  return last === undefined || last.text === "" ? lines : [...lines, { ...last, isOpen: true }];
}
