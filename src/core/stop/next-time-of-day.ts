/**
 * The first time after `from` at which local clocks show `HH:MM`.
 * @param from epoch ms
 * @returns epoch ms; NaN for an invalid `from`
 */
export function nextTimeOfDay(clock: string, from: number): number {
  const [hours, minutes] = clock.split(":").map(Number);
  const day = new Date(from);
  day.setHours(hours ?? 0, minutes ?? 0, 0, 0);
  if (day.getTime() <= from) {
    day.setDate(day.getDate() + 1);
    // Set twice, for days with a change of clocks.
    day.setHours(hours ?? 0, minutes ?? 0, 0, 0);
  }
  return day.getTime();
}
