/** Words of a person for the agent (`ralph say`). */
export type UserMessage = {
  /** ISO time at which they were said. */
  at: string;
  text: string;
  /** The iteration whose prompt they went into; null: none yet. */
  used_in: number | null;
};

/** Words are a note, not a second prompt: notes have 4,000 characters together (product.md, "What the agent is told"). */
export const USER_MESSAGE_MAX_CHARS = 2000;

/** An iteration begins: all that was said is in its prompt. */
export function markSent(said: readonly UserMessage[], iteration: number): UserMessage[] {
  return said.map((one) => (one.used_in === null ? { ...one, used_in: iteration } : one));
}

/**
 * An iteration was answered: what its prompt held was heard. Until then words stay, since the prompt of a call that met a
 * limit or failed may have reached nobody.
 */
export function pendingMessages(said: readonly UserMessage[]): UserMessage[] {
  return said.filter(({ used_in }) => used_in === null);
}

/** What is yet to be said, also after an iteration that failed or was interrupted: better twice than never. */
export function requeueMessages(said: readonly UserMessage[]): UserMessage[] {
  return said.map((one) => ({ ...one, used_in: null }));
}
