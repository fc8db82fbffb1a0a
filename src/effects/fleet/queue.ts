import { createHash } from "node:crypto";

const DIGITS = 8;

/** Whose tasks they are. */
export type QueueOf = {
  /** The branch that the work is for, without `refs/heads/`. */
  target: string;
  /** The project's path from the root of its repository, with forward slashes and none at its end; "" for the root. */
  prefix: string;
};

/**
 * The name of the queue that workers share: the same in each clone. One repository may have several, as plans of several projects or
 * for several branches may have tasks of the same words.
 */
export function queueName({ target, prefix }: QueueOf): string {
  return createHash("sha256")
    .update(JSON.stringify([target, prefix]))
    .digest("hex")
    .slice(0, DIGITS);
}
