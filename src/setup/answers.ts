import type { Commands } from "./detect/stack.ts";

/** All that is decided about a project before its files are written. Texts may be of others. */
export type Answers = {
  name: string;
  type: string;
  driver: string;
  /** The gate of the tests; null for none yet. */
  testCommand: string | null;
  commands: Commands;
  /** The languages and tools found, in a few words. */
  stack: string;
  calls: string;
  maxIterations: string;
  maxTime: string;
  taskSources: readonly string[];
  label: string | null;
};
