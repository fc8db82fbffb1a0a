import type { Spending } from "../journal/usage.ts";
import { utcOffset } from "../text/time-text.ts";

/**
 * What was spent in USD, as the bounds count it: what agents told, and what calls probably cost that told nothing. That counts with
 * ESTIMATE_COST, or where the agent told the cost of other calls: it tells it at a call's end, and those were cut short.
 */
export function countedUsd(usage: Spending, settings: { readonly ESTIMATE_COST?: unknown }): number {
  return (usage.cost_usd ?? 0) + countedEstimate(usage, settings);
}

/** The part of it that is estimated. */
export function countedEstimate(
  { cost_usd, estimated_usd }: Spending,
  settings: { readonly ESTIMATE_COST?: unknown },
): number {
  return settings.ESTIMATE_COST === true || cost_usd !== null ? (estimated_usd ?? 0) : 0;
}

/** What this user's runs spent on a day, over all projects. */
export type DaySpending = { day: string; usd: number };

/** The local calendar day of a time in epoch ms, as `2026-11-22`. @param offset of local time, in ms */
export function dayOf(at: number, offset = utcOffset(at)): string {
  return new Date(at + offset).toISOString().slice(0, 10);
}
