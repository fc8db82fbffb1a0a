const WHOLE = /^\d{1,9}$/;
const WITH_UNITS =
  /^(?:(\d{1,6}(?:\.\d+)?)d)?(?:(\d{1,6}(?:\.\d+)?)h)?(?:(\d{1,6}(?:\.\d+)?)m)?(?:(\d{1,9}(?:\.\d+)?)s)?$/;

/** Minutes in one day, hour, minute, second: the order of the groups of WITH_UNITS. */
const MINUTES = [1440, 60, 1, 1 / 60] as const;

/**
 * A duration in minutes: whole minutes (`15`), or values with units (`90s`, `2m`, `1h30m`); null for anything else. A
 * fraction needs a unit, because `1.5` would be ambiguous (product.md "Durations").
 */
export function parseMinutes(text: string): number | null {
  if (WHOLE.test(text)) return Number(text);
  const match = text === "" ? null : WITH_UNITS.exec(text.toLowerCase());
  if (match === null) return null;
  return MINUTES.reduce((sum, minutes, index) => sum + Number(match[index + 1] ?? 0) * minutes, 0);
}

/** Minutes in words: `90 seconds`, `15 minutes`, `8 hours`. */
export function minutesInWords(minutes: number): string {
  const [count, unit] =
    minutes < 2 ? [minutes * 60, "second"] : minutes >= 120 ? [minutes / 60, "hour"] : [minutes, "minute"];
  const shown = Number(count.toFixed(1));
  return `${shown} ${unit}${shown === 1 ? "" : "s"}`;
}
