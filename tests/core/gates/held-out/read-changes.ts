/** A named commit: what each of its files was and is; null for a file that is not there. */
export type Commit = { name: string; changes: { path: string; before: string | null; after: string | null }[] };

/** Commits written as diffs with all lines: `## name`, `@@ path`, then lines after a blank, `-` or `+`. */
export function readCommits(text: string): Commit[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [head = "", ...files] = part.split(/^@@ /m);
      return { name: head.trim(), changes: files.map(readFile) };
    });
}

function readFile(part: string): Commit["changes"][number] {
  const [path = "", ...rows] = part.replace(/\n$/, "").split("\n");
  const side = (other: string) => {
    const kept = rows.filter((row) => !row.startsWith(other));
    return kept.length === 0 ? null : `${kept.map((row) => row.slice(1)).join("\n")}\n`;
  };
  return { path, before: side("+"), after: side("-") };
}
