import type { Commands } from "./detect/stack.ts";

/** The decisions that a project's files depend on. Texts may come from other people. */
export type Answers = {
  name: string;
  type: string;
  driver: string;
  /** The test command that gates "done"; null for none yet. */
  testCommand: string | null;
  commands: Commands;
  /** The languages and tools found, in a few words. */
  stack: string;
  /** The user's settings for all projects, of which a new project takes the bounds. */
  bounds?: Readonly<Record<string, string | undefined>>;
};
