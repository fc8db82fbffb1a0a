import { noFailures } from "../stop/failure-backoff.ts";
import { noHeadway } from "../stop/headway.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import type { OpenCall, OpenIteration, State } from "./state.ts";

type OldCall = { number: number; call: number; agent: ProcessIdentity | null };

/** The state before it had `call`: the call under way was part of the iteration or of the review. */
type OldState = Omit<State, "call" | "open" | "review"> & {
  call?: undefined;
  open?: (OpenIteration & OldCall) | null;
  /** With number 0, this is an import's call. */
  review?: State["review"] & { open?: OldCall | null };
};

/** Upgrades the snapshot at the start of a journal to the current form, whichever version of ralph wrote it. */
export function upgradeState(state: State | OldState): Partial<State> {
  const upgraded = withCall(state);
  const { failures, headway } = upgraded;
  return {
    ...upgraded,
    ...(failures === undefined ? {} : { failures: { ...noFailures(), ...failures } }),
    ...(headway === undefined ? {} : { headway: { ...noHeadway(), ...headway } }),
  };
}

function withCall(state: State | OldState): Partial<State> {
  if (state.call !== undefined) return state;
  const { open = null, review, ...rest } = state as OldState;
  const { open: side = null, ...reviews } = review ?? {};
  return {
    ...rest,
    ...(review === undefined ? {} : { review: reviews as State["review"] }),
    open: open === null ? null : withoutAgent(open),
    call: openCall(open, side),
  };
}

function withoutAgent({ agent: _, ...iteration }: OpenIteration & OldCall): OpenIteration {
  return iteration;
}

function openCall(work: OldCall | null, side: OldCall | null): OpenCall | null {
  const open = side ?? work;
  if (open === null) return null;
  const purpose = open === work ? "main" : open.number === 0 ? "import" : "review";
  return { purpose, call: open.call, iteration: open.number, agent: open.agent };
}
