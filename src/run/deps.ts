import type { Settings } from "../core/settings/settings.ts";
import type { Driver, Host } from "../driver.ts";
import type { Clock, ProcessPort, Workspace } from "../effects/ports.ts";
import type { Recorder } from "./recorder.ts";

/** The project's own files, as the loop needs them. */
export type ProjectPort = {
  /** The prompt's text; throws RalphError if it is gone. */
  prompt(): string;
  /** The plan's text, or null where there is none. */
  plan(): string | null;
  /** The project's own words for a review, or null where there are none. */
  reviewPrompt(): string | null;
  /** Looks at what only ralph and its user may write, before an agent starts. */
  watch(): void;
  /** Puts back what was changed of it since `watch` was called; what was changed, each with what became of it. */
  mend(): string[];
  /** Whether the project's folder itself is no longer where it was. */
  isGone(): boolean;
  /** Puts back what vanished of prompt, plan, agent file, settings and journal; the paths that were gone. */
  restoreLost(): string[];
};

/** Where the agent's bytes of one call go. */
export type CallFiles = { stdout: string; stderr: string };

/** A stop that was asked for: `wait` ends waits at once, `kill` ends the agent at once. */
export type StopSignals = {
  wait: AbortSignal;
  /** Ends the agent. Where the stop could not be recorded, its reason is the error. */
  kill: AbortSignal;
};

/** Everything of the outside world that the loop touches. */
export type LoopDeps = {
  driver: Driver;
  /** The agent's program and leading arguments. */
  binary: readonly string[];
  settings: Settings;
  recorder: Recorder;
  workspace: Workspace;
  process: ProcessPort;
  clock: Clock;
  project: ProjectPort;
  host: Host;
  /** Environment of the agent. */
  env: Record<string, string>;
  /** Value of RALPH_RUN in it. */
  marker: string;
  stop: StopSignals;
  /** IANA name of the user's time zone, for reset times that name none. */
  zone: string;
  newSessionId(): string;
  callFiles(iteration: number, call: number): CallFiles;
  /** Path of another file in the run's folder. */
  runFile(name: string): string;
  /** The beginning of a text file, and the end of what that leaves out, in bytes. */
  ends(path: string, most: { head: number; tail: number }): { head: string; tail: string };
  /** The block that the agent is writing right now: shown, never journaled. */
  onPartial(text: string): void;
  /** Whether somebody looks at partial text. */
  live: boolean;
};
