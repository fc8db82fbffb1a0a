import { noReview } from "../decide/review-state.ts";
import { charge, refund } from "../stop/budget.ts";
import type { EventOf } from "./event.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import type { State } from "./state.ts";

/** A call that is no part of the work: a review's, or an import's (number 0). */
export function besidesWork(state: State, at: number, number: number, call: number): State {
  return {
    ...state,
    calls: state.calls + 1,
    budget: charge(state.budget, at, { calls: 1, tokens: 0 }),
    review: {
      ...noReview(),
      open: { number, call, agent: null },
      iteration: number,
      findings: state.review.findings,
    },
  };
}

/** Its failure, limit and session are nobody's, its call and usage count. An import's call ends here, a review later. */
export function afterReviewCall(state: State, event: EventOf<"agent_finished">): State {
  const called = withAgent(state, null);
  const idle =
    called.review.open?.number === 0 ? { ...called, review: { ...called.review, open: null }, tools: [] } : called;
  if (event.repeat !== "limit") return idle;
  return { ...idle, calls: state.calls - 1, budget: refund(state.budget) };
}

/** The process of the call under way. */
export function withAgent(state: State, agent: ProcessIdentity | null): State {
  const { open, review } = state;
  if (open !== null) return { ...state, open: { ...open, agent } };
  return review.open === null ? state : { ...state, review: { ...review, open: { ...review.open, agent } } };
}
