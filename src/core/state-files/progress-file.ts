import type { State } from "../journal/state.ts";
import { singleLine } from "../text/plain-text.ts";
import { localStamp, utcOffset } from "../text/time-text.ts";
import { jsonFile } from "./file-json.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸"] as const;
/** How often `progress.json` is rewritten while the agent works, as in the originals. */
export const PROGRESS_EVERY_MS = 10_000;

/**
 * `progress.json`: the agent's current action, then the end of the iteration; no file before the first (from the bash
 * original).
 * @param now epoch ms; an agent may be silent for long
 * @param offsetAt of local time at a time, in ms
 */
export function progressFile(
  state: State,
  now = Date.parse(state.updated_at),
  offsetAt: (at: number) => number = utcOffset,
): string | null {
  const timestamp = localStamp(now, offsetAt(now));
  if (state.iteration === 0) return null;
  if (state.wait !== null) return jsonFile({ status: "paused", timestamp });
  if (state.open !== null) {
    const elapsed = Math.max(0, now - Date.parse(state.open.started_at)) || 0;
    return jsonFile({
      status: "executing",
      indicator: FRAMES[Math.floor(elapsed / PROGRESS_EVERY_MS) % FRAMES.length],
      elapsed_seconds: Math.floor(elapsed / 1000),
      last_output: singleLine(state.last_output),
      timestamp,
    });
  }
  const { last } = state;
  if (last === null || last.number !== state.iteration)
    return jsonFile({ status: "failed", timestamp, error: "interrupted" });
  const files_changed = last.evidence.files_changed_count;
  const at = localStamp(Date.parse(last.at), offsetAt(Date.parse(last.at)));
  if (last.outcome === "answered") return jsonFile({ status: "completed", timestamp: at, files_changed });
  if (last.outcome === "timed_out" && last.evidence.progress)
    return jsonFile({ status: "timed_out_productive", timestamp: at, files_changed });
  const error = last.outcome === "timed_out" ? "timed out" : (state.last_call?.error?.message ?? "failed");
  return jsonFile({ status: "failed", timestamp: at, error, files_changed });
}
