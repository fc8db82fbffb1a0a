import type { RunStatus } from "../../report/status-report.ts";
import { isRecord, parseCount, parseJson, textOrEmpty } from "./old-json.ts";

/** What the `status.json` of an old project without a journal tells. */
export type OldStatus = {
  iteration: number;
  status: RunStatus;
  last_action: string;
  exit_reason: string | null;
  timestamp: string;
};

const WORDS: Record<string, RunStatus> = {
  running: "running",
  retrying: "running",
  completed: "completed",
  success: "completed",
  graceful_exit: "completed",
  halted: "blocked",
  stopped: "blocked",
  paused: "blocked",
  error: "blocked",
};

/** Maps a raw status word of the originals as bmalph does; it did not know its own `retrying`. */
export function toRunStatus(raw: string): RunStatus {
  return Object.hasOwn(WORDS, raw) ? (WORDS[raw] ?? "unknown") : "unknown";
}

/** Reads an old `status.json`, with the keys of the bash loop or bmalph's camelCase twins; null if it is neither. */
export function readOldStatus(text: string): OldStatus | null {
  const file = parseJson(text);
  if (!isRecord(file)) return null;
  const iteration = parseCount(file.loop_count ?? file.loopCount);
  if (iteration === null || typeof file.status !== "string") return null;
  return {
    iteration,
    status: toRunStatus(file.status),
    last_action: textOrEmpty(file.last_action ?? file.lastAction),
    exit_reason: textOrEmpty(file.exit_reason ?? file.exitReason) || null,
    timestamp: textOrEmpty(file.timestamp),
  };
}
