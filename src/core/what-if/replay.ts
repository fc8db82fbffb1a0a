import type { EventOf, RalphEvent } from "../journal/event.ts";
import { isRunOver } from "../journal/run-over.ts";
import type { SettingChanges } from "./changed-settings.ts";
import { comparisonsAt } from "./compare/comparisons.ts";
import { started } from "./compare/start.ts";
import { beginRecord, type Recorded, recordedWith } from "./recorded.ts";
import { compared, type Shadow, shadowOf } from "./shadow.ts";

/** A recorded run up to some event, with its shadows; `followed` is null before its first. */
export type Replay = { isOver: boolean; followed: Followed | null };

export type Followed = { recorded: Recorded; shadows: readonly Shadow[] };

export const notBegun: Replay = { isOver: false, followed: null };

/**
 * One step of the fold over the events of a run.
 * @param changes one set of settings for each shadow
 */
export function replayWith(replay: Replay, event: RalphEvent, changes: readonly SettingChanges[]): Replay {
  const { isOver, followed } = replay;
  if (isOver) return replay;
  // A later start wrote this one: it is no part of the run.
  if (event.type === "run_recovered" && isRunOver(event)) return { isOver: true, followed };
  if (followed !== null) return { isOver: isRunOver(event), followed: followedWith(followed, event) };
  return event.type === "run_started" ? { isOver: false, followed: begin(event, changes) } : replay;
}

function begin(event: EventOf<"run_started">, changes: readonly SettingChanges[]): Followed {
  const recorded = beginRecord(event);
  const comparisons = started({ recorded, event });
  return { recorded, shadows: changes.map((change) => compared(shadowOf(recorded, change), comparisons)) };
}

function followedWith({ recorded, shadows }: Followed, event: RalphEvent): Followed {
  const comparisons = comparisonsAt(recorded, event);
  return {
    recorded: recordedWith(recorded, event),
    shadows: shadows.map((shadow) => compared(shadow, comparisons)),
  };
}
