/** The maximum of repeated lines at the top and at the bottom of a page. */
const MOST = 3;

/**
 * Removes running heads from pages: a title or number on each of them. All numbers count as equal.
 * @param pages of one document, in their order
 */
export function withoutRunningHeads(pages: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const edges = pages.map((page) => edgesOf(page.split("\n")));
  for (const lines of edges) for (const key of new Set(lines.values())) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isRepeated = (key: string | undefined) =>
    key !== undefined && pages.length > 1 && (counts.get(key) ?? 0) > Math.max(1, pages.length / 2);
  return pages.map((page, at) =>
    page
      .split("\n")
      .filter((_, index) => !isRepeated(edges[at]?.get(index)))
      .join("\n"),
  );
}

/** The first and last lines of a page, by their index. */
function edgesOf(lines: readonly string[]): Map<number, string> {
  const full = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
  const edge = new Set([...full.slice(0, MOST), ...full.slice(-MOST)]);
  return new Map([...edge].map((index) => [index, (lines[index] ?? "").replace(/\d+/g, "0").trim()]));
}
