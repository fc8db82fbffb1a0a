/** A time zone in which the clock hour has half an hour left at least: calls are counted in it. */
export function earlyInTheHour(): { TZ: string } {
  return { TZ: new Date().getUTCMinutes() < 30 ? "UTC" : "Asia/Kolkata" };
}
