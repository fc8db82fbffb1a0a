import type { Style } from "../text/style.ts";

/** How much of something is used or done, as a line of `width` columns. */
export function bar(part: number, whole: number, width: number, style: Style, paint: (text: string) => string): string {
  const share = whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
  const filled = Math.round(share * width);
  // Without colours the two halves must differ by more than their brightness.
  const rest = style.dim("x") === "x" ? "╌" : "━";
  return paint("━".repeat(filled)) + style.dim(rest.repeat(width - filled));
}
