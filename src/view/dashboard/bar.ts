import type { Style } from "../text/style.ts";

/** A bar of `width` columns for the used or finished part of a whole. */
export function bar(part: number, whole: number, width: number, style: Style, paint: (text: string) => string): string {
  const share = whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
  const filled = Math.round(share * width);
  // Without colours the two halves must differ by more than brightness.
  const rest = style.dim("x") === "x" ? "╌" : "━";
  return paint("━".repeat(filled)) + style.dim(rest.repeat(width - filled));
}
