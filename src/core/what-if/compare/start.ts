import type { EventOf } from "../../journal/event.ts";
import { breakerAtStart } from "../../stop/circuit-breaker.ts";
import { reaches } from "../reached.ts";
import type { Here } from "../recorded.ts";
import { diverge } from "../settle.ts";
import type { Comparison } from "../shadow.ts";

/**
 * What a run began with that earlier ones left.
 * @param here the first event, and the record with it
 */
export function started(here: Here<EventOf<"run_started">>): Comparison[] {
  return [breakerLeft(here), tasksLeft(here)];
}

/** The breaker at the start, where an earlier run left it open. */
function breakerLeft(here: Here): Comparison {
  const { state } = here.recorded;
  const now = Date.parse(here.event.at);
  const row = state.breaker_history.at(-1);
  const hadOpened = row?.from_state === "OPEN" && Math.abs(Date.parse(row.timestamp) - now) < 1000;
  return (shadow) => {
    if (!reaches(shadow, "start")) return shadow;
    const { CB_COOLDOWN_MINUTES: cooldownMinutes, CB_AUTO_RESET: autoReset } = shadow.settings;
    if (state.breaker.state !== "open" && hadOpened) {
      const sentence = "The circuit breaker was open before this run; how it opened is in an earlier one.";
      return diverge(shadow, here, { rule: "start", sentence });
    }
    return { ...shadow, breaker: breakerAtStart(state.breaker, { cooldownMinutes, autoReset }, now) };
  };
}

function tasksLeft(here: Here): Comparison {
  const { open } = here.recorded.state.inbox;
  const sentence = "Earlier runs had set tasks aside, which this run began with.";
  return (shadow) =>
    reaches(shadow, "questions") && open.some(({ parked }) => parked)
      ? diverge(shadow, here, { rule: "start", sentence })
      : shadow;
}
