import { after, courseOf } from "./course.ts";
import type { Followed } from "./replay.ts";
import { placeOf } from "./settle.ts";
import type { Settled } from "./shadow.ts";
import type { WhatIfReport } from "./what-if-types.ts";

/** What a run that was followed to its end, or to that of its record, tells of its shadows. */
export function whatIfReport({ recorded, shadows }: Followed): WhatIfReport {
  const { state, last, tally, end } = recorded;
  const course = courseOf(state, tally, last.at);
  const broken = { ...placeOf(last, recorded), rule: "record" as const, sentence: "The record breaks off here." };
  const itself: Settled =
    end === null
      ? { result: "goes_on", divergence: broken, end, course }
      : { result: "same", divergence: null, end, course };
  return {
    run: state.run,
    started_by: state.started_by,
    recorded: { ...course, end },
    what_if: shadows.map(({ settled, changed }) => {
      const result = settled ?? itself;
      return { ...result, changed: [...changed], rest: after(result.course, course) };
    }),
  };
}
