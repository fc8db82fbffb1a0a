/**
 * A line of `.ralphrc` that gives a setting this value, in ralph's reader and in a shell alike. Quotes are chosen so that
 * nothing in the value can mean anything; line ends and control characters, which no value has, become blanks.
 */
export function assignment(key: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the line, or be dropped by a shell
  const text = value.toWellFormed().replace(/[\x00-\x1f\x7f\ufeff]+/g, " ");
  if (/^[\w./:@%+,-]+$/.test(text)) return `${key}=${text}`;
  return text.includes("'") ? `${key}="${text.replace(/["\\$`]/g, "\\$&")}"` : `${key}='${text}'`;
}
