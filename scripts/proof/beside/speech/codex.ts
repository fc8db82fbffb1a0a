import { line, noticeOf, type Speech } from "./speech.ts";

/** Codex: `codex exec --json … [resume ID] -`, as recorded from 0.169.0. */
export const codex: Speech = {
  version: "codex-cli 0.169.0",
  asksModel: (flags) => flags[0] === "exec",
  resumes: (flags) => {
    const at = flags.indexOf("resume");
    return at < 0 ? null : (flags[at + 1] ?? null);
  },
  printed: ({ session, text, ended, usage, flags }) => {
    if (!flags.includes("--json")) return ended ? `${text}\n` : "";
    const opening = line({ type: "thread.started", thread_id: session }) + line({ type: "turn.started" });
    if (!ended) return opening;
    const read = usage?.cache_read_tokens ?? 0;
    const written = usage?.cache_creation_tokens ?? 0;
    const spent = {
      input_tokens: (usage?.input_tokens ?? 0) + read + written,
      cached_input_tokens: read,
      output_tokens: usage?.output_tokens ?? 0,
    };
    const item = { id: "item_0", type: "agent_message", text };
    return opening + line({ type: "item.completed", item }) + line({ type: "turn.completed", usage: spent });
  },
  limited: (_, until) => line({ type: "turn.failed", error: { message: noticeOf(until) } }),
};
