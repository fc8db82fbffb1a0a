import type { Proof } from "../core/decide/proof.ts";

/** What "done" rests on, for a reader. */
export const PROOF = {
  gates: "every gate was green at the end",
  review: "a look by a stranger found no gap",
  word: "the agent's word alone",
} as const satisfies Record<Proof, string>;
