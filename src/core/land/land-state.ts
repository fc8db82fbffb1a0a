/** What the journal's fold knows of landing. */
import type { EventOf } from "../journal/event.ts";
import { noRedRate, type RedRate, withSettled } from "./red-rate.ts";

/** A branch on the target, or about to be: its own commit, and the task that it is the work on. */
export type LandedBranch = { name: string; commit: string; task: string | null; text: string | null };

export type LandState = {
  /** Over all runs of the project. */
  rate: RedRate;
  /** Gate runs on the same tree that were red first and green then. */
  flakes: number;
  /** Trees that were tested. */
  tested: number;
  landed: number;
  returned: number;
  /** A move of the target of which it is not known whether it was done. */
  open: { target: string; to: string; branches: readonly LandedBranch[] } | null;
};

export function noLand(): LandState {
  return { rate: noRedRate(), flakes: 0, tested: 0, landed: 0, returned: 0, open: null };
}

/** What a new run begins with: a move that a kill cut short is finished by it. */
export function carriedLand({ rate, open }: LandState): LandState {
  return { ...noLand(), rate, open };
}

type LandEvent = EventOf<"land_stacked" | "land_tested" | "landing" | "landed" | "land_returned">;

export function landAfter(land: LandState, event: LandEvent): LandState {
  switch (event.type) {
    case "land_stacked":
      return { ...land, open: null };
    case "land_tested":
      return { ...land, tested: land.tested + 1, flakes: land.flakes + (event.flaky.length > 0 ? 1 : 0) };
    case "landing":
      return { ...land, open: { target: event.target, to: event.to, branches: event.branches } };
    case "landed": {
      const settled = event.from === event.to ? 0 : event.branches.length;
      const rate = withSettled(land.rate, { red: 0, settled });
      return { ...land, landed: land.landed + event.branches.length, rate, open: null };
    }
    case "land_returned": {
      const red = event.why === "red" ? 1 : 0;
      return { ...land, returned: land.returned + 1, rate: withSettled(land.rate, { red, settled: 1 }) };
    }
  }
}
