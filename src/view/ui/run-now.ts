import type { Need } from "../../core/needs/needs.ts";
import type { StatusReport } from "../../core/report/status-report.ts";
import { shareUsed } from "../../core/stop/limit-headroom.ts";
import { count } from "../../core/text/count.ts";
import { NEEDS_YOU } from "../../core/words.ts";
import { headroomText } from "../live/headroom-text.ts";
import { waitLine } from "../live/wait-line.ts";
import { text } from "../report/html.ts";
import { forecastText } from "../text/forecast-text.ts";
import { canGoOn } from "./card-facts.ts";
import { needItem } from "./need-item.ts";

export type RunNowOptions = {
  /** Questions and commands belong to the newest run alone. */
  isNewest: boolean;
  /** Lines of the journal that cannot be used. */
  badLines: number;
  /** Why the run can no longer be followed; null if it can. */
  fault: string | null;
  /** The newest tag that the run made; null for none. */
  tag: string | null;
  /** Epoch ms. */
  now: number;
};

/** What a run is at now: its state, a wait with its end, what needs a person, and how near the bounds are. */
export function runNow(status: StatusReport, { isNewest, badLines, fault, tag, now }: RunNowOptions): string {
  const live = status.pid !== null;
  return [
    `<div id="phase" data-live="${live}" data-phase="${live ? (status.phase ?? "") : ""}" data-can-go-on="${isNewest && canGoOn(status)}"></div>`,
    fault === null ? "" : `<p class="outcome bad" role="alert"><b>This run cannot be followed</b>${text(fault)}</p>`,
    badLines === 0
      ? ""
      : `<p class="outcome warn"><b>${count(badLines, "line")} of the journal cannot be read</b>What stands in them is left out.</p>`,
    live ? stateLine(status) : "",
    tag === null ? "" : `<p class="facts">Newest tag: <code>${text(tag)}</code></p>`,
    wait(status, now),
    isNewest ? needs(status.needs, live) : "",
    live ? gauges(status) : "",
  ].join("");
}

/** What a status bar tells: state, iteration, agent, mode. */
function stateLine({ phase, iteration, display_name: agent, words }: StatusReport): string {
  const mode = words.find((word) => !word.startsWith("-"));
  const parts = [`iteration ${iteration}`, agent, mode === undefined ? null : `mode ${mode}`].filter(
    (part) => part !== null,
  );
  return `<p class="outcome state"><b><span class="dot" aria-hidden="true">●</span> ${text(phase ?? "running")}</b>${text(parts.join(" · "))}</p>`;
}

function wait({ wait: waiting }: StatusReport, now: number): string {
  if (waiting === null) return "";
  const countdown =
    waiting.why === "paused" ? "" : ` <span class="countdown" data-until="${text(waiting.until)}"></span>`;
  return `<p class="outcome warn banner" role="status"><b>${text(waitLine(waiting.why, waiting.until, now))}</b>${countdown}</p>`;
}

function needs(all: readonly Need[], live: boolean): string {
  if (all.length === 0) return "";
  const items = all.map((need) => needItem(need, { live }));
  return `<section class="needs" aria-labelledby="needs"><h2 id="needs">${NEEDS_YOU} (${all.length})</h2><ul>${items.join("")}</ul></section>`;
}

type Gauge = { label: string; share: number };

function gauges(status: StatusReport): string {
  const { calls, plan, forecast } = status;
  const all: Gauge[] = [
    ...status.nearest_stops.map((stop) => ({
      label: headroomText(stop, status.started_at ?? ""),
      share: shareUsed(stop),
    })),
    ...(calls.limit === null || calls.limit === 0
      ? []
      : [{ label: `calls this hour ${calls.used}/${calls.limit}`, share: Math.min(1, calls.used / calls.limit) }]),
    ...(plan === null || plan.total === 0
      ? []
      : [{ label: `plan ${plan.checked}/${plan.total}`, share: plan.checked / plan.total }]),
  ];
  const breaker = String(status.circuit.state ?? "CLOSED");
  const words = [`circuit breaker ${breaker.toLowerCase()}`, ...(forecast === null ? [] : [forecastText(forecast)])];
  const bars = all.map(
    ({ label, share }) =>
      `<label>${text(label)} <progress max="1" value="${Math.round(share * 1000) / 1000}">${Math.round(share * 100)} %</progress></label>`,
  );
  return `<section class="gauges" aria-label="Bounds and limits">${bars.join("")}<p class="facts">${words.map(text).join(" · ")}</p></section>`;
}
