const ELLIPSIS = "…";
/** Between two of these a character always ends. */
const ASCII = /[\n -~]/;
const SURROGATE = /[\ud800-\udfff]/;

/**
 * A text of at most `max` UTF-16 units; a longer one ends in an ellipsis, and never inside a visible character
 * (surrogate pair, combining marks, joined emoji). Lone surrogates become U+FFFD. Time depends on `max` alone.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed();
  const room = max - ELLIPSIS.length;
  if (room < 0) return "";
  return text.slice(0, lastEnd(text, room)).trimEnd().toWellFormed() + ELLIPSIS;
}

/** The end of the last character that fits. The first use of Intl costs several ms, so plain text needs none. */
function lastEnd(text: string, room: number): number {
  let start = room;
  while (start > 0 && !(ASCII.test(text.charAt(start - 1)) && ASCII.test(text.charAt(start)))) start -= 1;
  if (start === room) return room;
  // The slice is one unit longer than `room`: a cluster that it cuts in two is left out either way.
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.slice(start, room + 1));
  let end = start;
  for (const { index, segment } of graphemes) {
    if (start + index + segment.length > room) break;
    end = start + index + segment.length;
  }
  return end;
}

/** At most `length` code points of `text`, never half a surrogate pair. */
export function clipCodePoints(text: string, length: number): string {
  const part = text.slice(0, 2 * length);
  if (part.length <= length) return part;
  return SURROGATE.test(part) ? [...part].slice(0, length).join("") : part.slice(0, length);
}
