/**
 * Minimum length of a word that matches inside a longer candidate: `--cost` means `--max-cost`, but `-c` means
 * anything.
 */
const SHORTEST_PART = 4;

/**
 * The most likely candidate for a mistyped word; null if none is close. Ignores case and leading dashes. Close means at
 * most one edit per three characters, or being a part of exactly one candidate.
 */
export function closestMatch(word: string, candidates: Iterable<string>): string | null {
  const wanted = normal(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { candidate: string; distance: number } | null = null;
  const holding: string[] = [];
  for (const candidate of candidates) {
    const name = normal(candidate);
    const distance = editDistance(wanted, name);
    if (distance <= limit && (best === null || distance < best.distance)) best = { candidate, distance };
    if (wanted.length >= SHORTEST_PART && name.includes(wanted)) holding.push(candidate);
  }
  return best?.candidate ?? (holding.length === 1 ? (holding[0] ?? null) : null);
}

/** ` Did you mean X?`, or "", to follow a sentence. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = closestMatch(word, candidates);
  return found === null ? "" : ` Did you mean ${found}?`;
}

/** Damerau-Levenshtein distance (optimal string alignment): insert, delete, replace, swap of two neighbours. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced);
      row.push(swapped ? Math.min(best, at(beforeLast, j - 2) + 1) : best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

function normal(word: string): string {
  return word.replace(/^-+/, "").toLowerCase();
}
