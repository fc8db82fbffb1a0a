const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** The last `width` values as bars of eight heights, from zero up; an unknown value is a gap. */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const shown = values.slice(-Math.max(0, width));
  const most = Math.max(0, ...shown.map((value) => value ?? 0));
  return shown.map((value) => (value === null ? " " : bar(value, most))).join("");
}

function bar(value: number, most: number): string {
  if (value <= 0 || most <= 0) return BARS[0];
  return BARS[Math.min(BARS.length - 1, Math.round((value / most) * (BARS.length - 1)))] ?? BARS[0];
}
