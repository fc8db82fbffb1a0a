import type { Driver } from "../driver.ts";

/** The agent that a job calls. */
export type Agent = {
  driver: Driver;
  /** The agent's program and leading arguments. */
  binary: readonly string[];
  /**
   * Receives the text block that the agent is writing right now: shown, never journaled. `read` gives it without secrets, which costs
   * more than all else of a piece of it: call it only to show it.
   */
  onPartial(read: () => string): void;
  /** Whether partial text is shown anywhere. */
  live: boolean;
};
