/** Ports: records of functions, one for each part of the outside world that the loop touches. */

import type { AgentOutcome } from "../core/journal/event.ts";
import type { Command } from "../driver.ts";

/** Wall clock in epoch ms. */
export type Clock = {
  now(): number;
  /** Waits until the wall clock says `until` (also across the machine's sleep); ends early, without error, when `signal` aborts. */
  sleepUntil(until: number, signal: AbortSignal): Promise<void>;
};

export type ProcessOptions = {
  cwd: string;
  /** The whole environment of the child. */
  env: Record<string, string>;
  /** Bytes of stdout and stderr are written here as they come. */
  stdoutFile: string;
  stderrFile: string;
  /** ms of running time; 0 for none. */
  timeoutMs: number;
  /** ms without output, file change or child CPU; 0 for none. */
  idleMs: number;
  /** ms in which TERM may do its work before KILL. */
  graceMs: number;
  /** Abort: the child and its descendants are ended, outcome `stopped`. */
  signal: AbortSignal;
  /** Value of RALPH_RUN in the child's environment, by which daemons that left every group are found. */
  marker: string;
  /** Whether something else than output shows life (files change): asked when the idle clock runs out. */
  isAlive?: () => boolean | Promise<boolean>;
  /** ms without a write or a child's CPU, however much is printed; 0 or absent for none. */
  writeMs?: number;
  /** Whether something was written since it was last asked; asked when the write clock runs out. */
  hasWritten?: () => boolean | Promise<boolean>;
  onStart(child: { pid: number; group: number; startTime: string | null }): void;
  /** Complete lines of stdout without line end; a line over the cap is cut. Awaited: the pipe stalls until it returns. */
  onLines(lines: string[]): void;
  /** True once the agent's final event was seen: the process then has 2 s to exit by itself. */
  isFinished(): boolean;
};

export type ProcessResult = {
  outcome: AgentOutcome;
  /** The outcome is `idle` because nothing was written for `writeMs`. */
  noWrites: boolean;
  exitCode: number | null;
  signal: string | null;
  ms: number;
  /** The last 20 lines that stderr held, at most 4 kB. */
  stderrTail: string[];
  /** Why the program could not be started. */
  spawnError: string | null;
  /** Pids that had to be ended after the agent was gone. */
  leftovers: number[];
};

export type ProcessPort = { run(command: Command, options: ProcessOptions): Promise<ProcessResult> };

/** Runs a short program to its end while ralph waits; never throws. `failure`: it could not be started, or took too long. */
export type RunSync = (
  argv: readonly string[],
  options: { cwd: string; env: Record<string, string>; input?: string; timeoutMs: number },
) => { exitCode: number | null; stdout: string; stderr: string; failure: string | null };

/** The working tree as it is at one moment; opaque outside `effects/snapshot/`. */
export type Snapshot = {
  readonly id: string;
  /** HEAD at that moment; null where there is none. */
  readonly head: string | null;
  readonly isGitRepository: boolean;
};

export type WorkspaceChange = {
  /** Paths whose content differs, sorted, relative to the project with forward slashes. */
  files: string[];
  /** Ids of commits that HEAD gained, newest first, at most 50. */
  commits: string[];
  headMoved: boolean;
};

/** The project's files and its repository, if there is one. */
export type Workspace = {
  isGitRepository: boolean;
  head(): string | null;
  snapshot(): Promise<Snapshot>;
  changes(before: Snapshot, after: Snapshot): Promise<WorkspaceChange>;
  /** Hash over all that counts in the tree: the same for the same content, whether touched or committed. */
  fingerprint(snapshot: Snapshot): string;
  /** What could not be read the fast way; grows while the tree is looked at, each thing once. */
  warnings: readonly string[];
};
