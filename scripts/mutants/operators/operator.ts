import type { Place, Span } from "../syntax.ts";

/** One edit of a source: what stands at the span gives way to other text. */
export type Edit = Span & { after: string };

/** A kind of mistake: the edits that make it at a place, none where it cannot be made. */
export type Operator = { name: string; edits(place: Place): readonly Edit[] };

/** The edit that puts other text in the place of a node. */
export function replace({ start, end }: Span, after: string): Edit {
  return { start, end, after };
}

/** The same text with the first `token` after `from` replaced; the edit is of the whole node, which reads better. */
export function replaceToken(place: Place, from: Span, token: string, by: string): Edit {
  const { node, text } = place;
  const rest = text({ start: from.end, end: node.end });
  const head = text({ start: node.start, end: from.end });
  return replace(node, head + rest.replace(token, () => by));
}
