import type { RalphEvent } from "../journal/event.ts";
import type { SettingChanges } from "./changed-settings.ts";
import { notBegun, replayWith } from "./replay.ts";
import { whatIfReport } from "./what-if-report.ts";
import type { WhatIfReport } from "./what-if-types.ts";

/**
 * Follows a recorded run under other settings: the same facts, decided again, up to the first step that would have been another
 * one (product.md "What if"). Nothing is invented after that. It is exact because decisions are pure and the journal holds all
 * that they read; where this version decides otherwise than the one that made the run, it says so.
 * @param events of one run, from its first; texts of the agent may be missing
 * @param changes one set of settings for each answer
 * @returns null without a readable beginning
 */
export function whatIf(events: Iterable<RalphEvent>, changes: readonly SettingChanges[]): WhatIfReport | null {
  let replay = notBegun;
  for (const event of events) replay = replayWith(replay, event, changes);
  return replay.followed === null ? null : whatIfReport(replay.followed);
}
