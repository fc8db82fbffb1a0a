import { fingerprintLines } from "../answer/fingerprint.ts";

/** A process that ralph started, as it is found again after a crash: a reused pid is another life of it. */
export type ProcessIdentity = {
  pid: number;
  group: number;
  /** Kernel start time; null where unknown. */
  start_time: string | null;
  /** Value of RALPH_RUN in its environment. */
  marker: string;
};

/** The mark of a run's processes: of this run alone, and to be told from its first event when nothing else was recorded. */
export function runMarker({ run, project, started_at }: { run: string; project: string; started_at: string }): string {
  return `${run}-${fingerprintLines([`${project} ${started_at}`])}`;
}

/** The mark in what an event or another record says of a process. */
export function pickProcessIdentity({ pid, group, start_time, marker }: ProcessIdentity): ProcessIdentity {
  return { pid, group, start_time, marker };
}
