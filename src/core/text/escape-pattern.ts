/** A text as the source of a regular expression that matches just it, alone or within another one. */
export function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
