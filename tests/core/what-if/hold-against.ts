import { expect } from "bun:test";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { WhatIf, WhatIfReport } from "../../../src/core/what-if/what-if-types.ts";

/** What happened, without notes for people, the circuit breaker and ends of waits, which follow their settings, and sentences. */
function course(journal: readonly RalphEvent[]): string[] {
  return journal
    .filter(({ type }) => type !== "note" && type !== "run_started" && type !== "forecast_made")
    .map(({ v, seq, run, ...event }) =>
      JSON.stringify({
        ...event,
        breaker: null,
        sentence: null,
        verdict: null,
        what: null,
        until: null,
        why: null,
        message: null,
      }),
    );
}

/** Expects that a run with its own settings is itself, to the last figure. */
export function expectItself({ recorded, what_if: [itself] }: WhatIfReport, journal: readonly RalphEvent[]): void {
  const last = journal.at(-1);
  if (last?.type !== "run_finished") throw new Error("the run has no end");
  const { stop_reason, exit_code, sentence, iterations, calls, cost_usd } = last;
  expect(recorded).toMatchObject({ end: { stop_reason, exit_code, sentence }, iterations, calls, cost_usd });
  const { end, ...all } = recorded;
  expect(itself).toMatchObject({ result: "same", changed: [], divergence: null, end, course: all });
  expect(itself?.rest).toMatchObject({ iterations: 0, calls: 0, tokens: 0, ms: 0, commits: 0, boxes_ticked: 0 });
}

/**
 * Expects that an answer about other settings is what really happened with them.
 * @param really the journal of the same project and the same luck under those settings
 */
export function expectTrue(answer: WhatIf, recorded: readonly RalphEvent[], really: readonly RalphEvent[]): void {
  const end = really.at(-1);
  if (end?.type !== "run_finished") throw new Error("the other run has no end");
  if (answer.result === "same") {
    expect(course(really)).toEqual(course(recorded));
    return;
  }
  const { divergence } = answer;
  if (divergence === null) throw new Error("an answer that differs says where");
  if (answer.result === "ends") {
    const { iterations, calls, cost_usd, stop_reason, exit_code } = end;
    const ms = Date.parse(end.at) - Date.parse(really[0]?.at ?? "");
    expect(answer.end).toMatchObject({ stop_reason, exit_code });
    expect(answer.course).toMatchObject({ iterations, calls, cost_usd, ms });
    return;
  }
  const shared = course(recorded.filter(({ seq }) => seq < divergence.seq));
  expect(course(really).slice(0, shared.length)).toEqual(shared);
  expect(course(really).length).toBeGreaterThan(shared.length);
  if (answer.result === "goes_on") expect(course(really)).not.toEqual(course(recorded));
}
