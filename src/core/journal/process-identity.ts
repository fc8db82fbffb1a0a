import { fingerprintLines } from "../answer/fingerprint.ts";

/** Identifies a process that ralph started, even after a crash. The pid alone may have been reused. */
export type ProcessIdentity = {
  pid: number;
  group: number;
  /** Kernel start time; null if unknown. */
  start_time: string | null;
  /** Value of RALPH_RUN in its environment. */
  marker: string;
};

/**
 * The marker of a run's processes. It is unique to the run and follows from its first event, in case nothing else was
 * recorded.
 */
export function runMarker({ run, project, started_at }: { run: string; project: string; started_at: string }): string {
  return `${run}-${fingerprintLines([`${project} ${started_at}`])}`;
}

/** Picks the process identity out of an event or another record. */
export function pickProcessIdentity({ pid, group, start_time, marker }: ProcessIdentity): ProcessIdentity {
  return { pid, group, start_time, marker };
}
