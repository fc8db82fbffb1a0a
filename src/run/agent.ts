import type { Driver } from "../driver.ts";
import type { CallDecoders } from "./listener.ts";

/** The agent that a job calls. */
export type Agent = {
  driver: Driver;
  /** The agent's program and leading arguments. */
  binary: readonly string[];
  /** Read its output where the driver does not. */
  decoders: CallDecoders;
  /** Gets the block that the agent is writing right now: shown, never journaled. */
  onPartial(text: string): void;
  /** Whether anyone looks at partial text. */
  live: boolean;
};
