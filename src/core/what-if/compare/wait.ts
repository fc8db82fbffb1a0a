import type { Here } from "../recorded.ts";
import { diverge, endsAt } from "../settle.ts";
import { type Comparison, under } from "../shadow.ts";
import { compareStep } from "./compare-step.ts";
import { stepAt } from "./loop-step.ts";

/** The end of a wait, where other settings wait less or more. */
export function woken(here: Here): Comparison {
  const { recorded, event } = here;
  const { state, settings } = recorded;
  const now = Date.parse(event.at);
  return (shadow) => {
    if (shadow.wakes === null) return shadow;
    if (now >= shadow.wakes) {
      const step = stepAt(under(shadow, recorded), shadow.settings, shadow.wakes, true);
      const at = new Date(shadow.wakes).toISOString();
      if (step.do === "stop") return endsAt(shadow, here, step, { state, at });
      return diverge(shadow, here, { rule: "wait", sentence: `The wait would have ended earlier, at ${at}.` });
    }
    if (event.type !== "wait_ended") return shadow;
    const own = stepAt(state, settings, now, true);
    const other = stepAt(under(shadow, recorded), shadow.settings, now, true);
    return { ...compareStep(shadow, here, state, own, other), wakes: null };
  };
}
