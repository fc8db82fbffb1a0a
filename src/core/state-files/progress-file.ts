import type { State } from "../journal/state.ts";
import { singleLine } from "../text/plain-text.ts";
import { localStamp } from "../text/time-text.ts";
import { jsonFile } from "./file-json.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸"] as const;
/** `progress.json` is written anew this often while the agent works, as the originals do. */
export const PROGRESS_EVERY_MS = 10_000;

/**
 * `progress.json`: what the agent does just now, then how the iteration ended; no file before the first (from the bash original).
 * @param now epoch ms; an agent may have said nothing for long
 */
export function progressFile(state: State, now = Date.parse(state.updated_at)): string | null {
  const timestamp = localStamp(now);
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
  const at = localStamp(Date.parse(last.at));
  if (last.outcome === "answered") return jsonFile({ status: "completed", timestamp: at, files_changed });
  if (last.outcome === "timed_out" && last.evidence.progress)
    return jsonFile({ status: "timed_out_productive", timestamp: at, files_changed });
  const error = last.outcome === "timed_out" ? "timed out" : (state.last_call?.error?.message ?? "failed");
  return jsonFile({ status: "failed", timestamp: at, error, files_changed });
}
