/** What all runs of this user spent today: each call adds to it, and MAX_COST_PER_DAY bounds by it. */
import { dayOf } from "../core/money/spending.ts";
import type { Run } from "./run.ts";

/** Adds what a call cost, in USD; what comes after it in the same iteration is bounded by it too. */
export function recordSpending(run: Run, usd: number): void {
  const { world, append } = run;
  if (usd <= 0) return;
  try {
    world.ledger.add(world.clock.now(), usd);
  } catch (error) {
    const text = `MAX_COST_PER_DAY will not count this call: ${(error as Error).message}`;
    append({ type: "note", level: "warn", text });
  }
  noteDaySpending(run);
}

/** Brings what all runs of today spent up to date, where it bounds this one. */
export function noteDaySpending({ world, state, append, settings }: Run): void {
  if (settings.MAX_COST_PER_DAY === null) return;
  const day = dayOf(world.clock.now());
  const usd = world.ledger.spentOn(day);
  const known = state().day_spent;
  if (known?.day !== day || known.usd !== usd) append({ type: "day_spent", day, usd });
}
