/** Lines of context around a change. */
const CONTEXT = 3;
/** Beyond this many differing lines a diff shows the old and the new text whole. */
const MAX_EDITS = 2000;

/** The difference of two texts in the unified form, without the head; empty if there is none. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, next] = [linesOf(before), linesOf(after)];
  const rows = edits(old, next);
  const shown = rows.map((_, index) =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== " "),
  );
  const out: string[] = [];
  rows.forEach(({ mark, text, from, to }, index) => {
    if (shown[index] !== true) return;
    if (index === 0 || shown[index - 1] !== true) out.push(`@@ -${from + 1} +${to + 1} @@`);
    out.push(`${mark}${text}`);
  });
  return out;
}

type Row = { mark: " " | "-" | "+"; text: string; from: number; to: number };

/** Equal heads and tails aside, the longest common subsequence of the middle. */
function edits(old: readonly string[], next: readonly string[]): Row[] {
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < next.length - head &&
    old[old.length - 1 - tail] === next[next.length - 1 - tail]
  )
    tail += 1;
  const [a, b] = [old.slice(head, old.length - tail), next.slice(head, next.length - tail)];
  const rows: Row[] = [];
  const push = (mark: Row["mark"], text: string, from: number, to: number) => rows.push({ mark, text, from, to });
  for (let at = 0; at < head; at += 1) push(" ", old[at] ?? "", at, at);
  middle(a, b, head, push);
  for (let at = 0; at < tail; at += 1)
    push(" ", old[old.length - tail + at] ?? "", old.length - tail + at, next.length - tail + at);
  return rows;
}

function middle(
  a: readonly string[],
  b: readonly string[],
  head: number,
  push: (mark: Row["mark"], text: string, from: number, to: number) => void,
): void {
  const isHuge = a.length * b.length > MAX_EDITS * MAX_EDITS;
  const lengths = isHuge ? null : commonLengths(a, b);
  let [i, j] = [0, 0];
  const common = (x: number, y: number) => lengths?.[x * (b.length + 1) + y] ?? 0;
  while (i < a.length || j < b.length) {
    if (lengths !== null && i < a.length && j < b.length && a[i] === b[j])
      push(" ", a[i] ?? "", head + i++, head + j++);
    else if (i < a.length && (j === b.length || common(i + 1, j) >= common(i, j + 1)))
      push("-", a[i] ?? "", head + i++, head + j);
    else push("+", b[j] ?? "", head + i, head + j++);
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

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
}
