/** A user's message to the agent (`ralph say`). */
export type UserMessage = {
  /** ISO time of the message. */
  at: string;
  text: string;
  /** The iteration whose prompt contained it; null for none yet. */
  used_in: number | null;
};

/**
 * A message is a note, not a second prompt: all notes together have 4,000 characters (product.md "What the agent is
 * told").
 */
export const USER_MESSAGE_MAX_CHARS = 2000;

/** Assigns all unsent messages to the iteration that begins. */
export function markSent(messages: readonly UserMessage[], iteration: number): UserMessage[] {
  return messages.map((message) => (message.used_in === null ? { ...message, used_in: iteration } : message));
}

/**
 * Drops the messages that an answered iteration received. They stay until then, since the prompt of a limited or failed
 * call may not have reached the agent.
 */
export function pendingMessages(messages: readonly UserMessage[]): UserMessage[] {
  return messages.filter(({ used_in }) => used_in === null);
}

/** The messages still to send, including those of a failed or interrupted iteration: better twice than never. */
export function requeueMessages(messages: readonly UserMessage[]): UserMessage[] {
  return messages.map((message) => ({ ...message, used_in: null }));
}
