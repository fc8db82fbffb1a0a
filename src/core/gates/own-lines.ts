/**
 * What somebody wrote in these lines of a file, as one. Comparisons work on code without comments, quotes and layout, which nobody who
 * wrote it would find again.
 * @param line the first, from 1
 */
export function ownLines(text: string, line: number, last = line): string {
  return text
    .split("\n")
    .slice(line - 1, last)
    .map((one) => one.trim())
    .join(" ");
}
