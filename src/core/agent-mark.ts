/** A process that ralph started, as it is found again after a crash: a reused pid is another life of it. */
export type AgentMark = {
  pid: number;
  group: number;
  /** Kernel start time; null where unknown. */
  start_time: string | null;
  /** Value of RALPH_RUN in its environment. */
  marker: string;
};
