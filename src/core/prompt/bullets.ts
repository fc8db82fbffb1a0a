/** The first `most` of some items as lines of a list, and how many more there are. */
export function bullets(items: readonly string[], most: number): string[] {
  const more = items.length > most ? [`and ${items.length - most} more`] : [];
  return [...items.slice(0, most), ...more].map((item) => `- ${item}`);
}
