const ELLIPSIS = "…";

/**
 * A text of at most `max` UTF-16 units; a longer one ends in an ellipsis, and never inside a character as a reader sees
 * it (surrogate pair, combining marks, joined emoji). Lone surrogates become U+FFFD. Time depends on `max` alone.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed();
  const room = max - ELLIPSIS.length;
  if (room < 0) return "";
  // The cluster that the slice cuts in two ends behind `room` or not before it, and is left out either way.
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.slice(0, room + 1));
  let end = 0;
  for (const { index, segment } of graphemes) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd().toWellFormed() + ELLIPSIS;
}
