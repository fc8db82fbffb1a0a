/**
 * The first time at which local clocks show `HH:MM` after `from`.
 * @param from epoch ms
 * @returns epoch ms; NaN where `from` is no time
 */
export function nextTimeOfDay(clock: string, from: number): number {
  const [hours, minutes] = clock.split(":").map(Number);
  const day = new Date(from);
  day.setHours(hours ?? 0, minutes ?? 0, 0, 0);
  if (day.getTime() <= from) {
    day.setDate(day.getDate() + 1);
    // Again, for the days on which clocks change.
    day.setHours(hours ?? 0, minutes ?? 0, 0, 0);
  }
  return day.getTime();
}
