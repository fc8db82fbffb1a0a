import type { Forecast } from "../../core/money/forecast.ts";
import { count } from "../../core/text/count.ts";
import { money } from "../../core/text/money.ts";
import { duration } from "./figures.ts";

/** `8 tasks left: in all about $6.40, at most $9.10, 1 h 10 min of work, at most 2 h`. */
export function forecastText({ tasks_left, usd, ms }: Forecast): string {
  const cost = usd === null ? [] : [`about ${money(usd.p50)}, at most ${money(usd.p90)}`];
  const work = `${duration(wholeMinutes(ms.p50))} of work, at most ${duration(wholeMinutes(ms.p90))}`;
  return `${count(tasks_left, "task")} left: in all ${[...cost, work].join(", ")}`;
}

/** The same in half a line: `ends at about $6.40 (at most $9.10)`. */
export function shortForecast({ usd, ms }: Forecast): string {
  return usd === null
    ? `ends after about ${duration(wholeMinutes(ms.p50))} of work (at most ${duration(wholeMinutes(ms.p90))})`
    : `ends at about ${money(usd.p50)} (at most ${money(usd.p90)})`;
}

/** Seconds would feign a precision that no forecast has. */
function wholeMinutes(ms: number): number {
  return ms < 60_000 ? ms : Math.round(ms / 60_000) * 60_000;
}
