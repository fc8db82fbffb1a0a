/** What all runs of this user spent today: each call adds to it, and MAX_COST_PER_DAY bounds by it. */
import type { EventBody } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { warning } from "../core/journal/warning.ts";
import { countedUsd, dayOf } from "../core/money/spending.ts";
import type { SpendingLedger, World } from "../effects/ports.ts";
import type { Run } from "./run.ts";

/** Adds what a call cost, in USD; what comes after it in the same iteration is bounded by it too. */
export function recordSpending(run: Run, usd: number): void {
  const { world, appendAll } = run;
  if (usd <= 0) return;
  appendAll(addToDay(world.ledger, world.clock.now(), usd));
  noteDaySpending(run);
}

/**
 * Adds what a call had cost that broke off with its run: one that ends adds it itself. Call it once, when the end is recorded.
 * @param state the one before that
 * @returns what a person is to be told
 */
export function recordLostSpending({ ledger }: Pick<World, "ledger">, state: State): EventBody[] {
  const { call, usage, settings, updated_at } = state;
  if (call === null || call.agent === null || call.spent_before === undefined) return [];
  const usd = countedUsd(usage, settings) - countedUsd(call.spent_before, settings);
  return usd <= 0 ? [] : addToDay(ledger, Date.parse(updated_at), usd);
}

function addToDay(ledger: SpendingLedger, at: number, usd: number): EventBody[] {
  try {
    ledger.add(at, usd);
    return [];
  } catch (error) {
    return [warning(`MAX_COST_PER_DAY will not count this call: ${(error as Error).message}`)];
  }
}

/** Brings what all runs of today spent up to date, where it bounds this one. */
export function noteDaySpending({ world, state, append, settings }: Run): void {
  if (settings.MAX_COST_PER_DAY === null) return;
  const now = world.clock.now();
  const day = dayOf(now, world.offsetAt(now));
  const usd = world.ledger.spentOn(day);
  const known = state().day_spent;
  if (known?.day !== day || known.usd !== usd) append({ type: "day_spent", day, usd });
}
