/**
 * A line of `.ralphrc` that gives a setting this value, for ralph's reader and for a shell alike. The quotes keep every
 * character of the value literal. Line ends and control characters, which no value contains, become blanks.
 */
export function assignment(key: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the line, or be dropped by a shell
  const text = value.toWellFormed().replace(/[\x00-\x1f\x7f\ufeff]+/g, " ");
  if (/^[\w./:@%+,-]+$/.test(text)) return `${key}=${text}`;
  return text.includes("'") ? `${key}="${text.replace(/["\\$`]/g, "\\$&")}"` : `${key}='${text}'`;
}
