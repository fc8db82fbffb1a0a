/** The words of a text, whatever their case and order. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The share of common words, of those of the text with fewer words and of those of both; 0 without words. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): { share: number; ofBoth: number } {
  const common = [...a].filter((word) => b.has(word)).length;
  const least = Math.min(a.size, b.size);
  return least === 0 ? { share: 0, ofBoth: 0 } : { share: common / least, ofBoth: common / (a.size + b.size - common) };
}
