import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

/** How each error of ralph's begins where it is printed. */
export const ERROR_MARK = "ralph: ";
const MOST_CHARS = 600;

/** The error at the end of what a ralph printed, with what to do next, on one line; null if it ended with none. */
export function lastError(output: string): string | null {
  const lines = output.trimEnd().split("\n");
  const from = lines.findLastIndex((line) => line.startsWith(ERROR_MARK));
  if (from < 0) return null;
  const [first = "", ...rest] = lines.slice(from);
  return truncate(singleLine([first.slice(ERROR_MARK.length), ...rest].join(" ")), MOST_CHARS);
}
