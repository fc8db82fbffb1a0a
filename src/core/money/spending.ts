import type { Spending } from "../journal/usage.ts";

/** What was spent in USD, as the bounds count it: what agents told, and with ESTIMATE_COST what they probably cost. */
export function countedUsd(usage: Spending, settings: { readonly ESTIMATE_COST?: unknown }): number {
  const estimated = settings.ESTIMATE_COST === true ? (usage.estimated_usd ?? 0) : 0;
  return (usage.cost_usd ?? 0) + estimated;
}

/** What this user's runs spent on a day, over all projects. */
export type DaySpending = { day: string; usd: number };

/** The local calendar day of a time in epoch ms, as `2026-11-22`. */
export function dayOf(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, 10);
}
