import { after, line, noticeOf, type Speech } from "./speech.ts";

/** OpenCode: `opencode run --format json … [--session ID]`, as recorded from 1.18.33. */
export const opencode: Speech = {
  version: "1.18.33",
  asksModel: (flags) => flags[0] === "run",
  resumes: (flags) => after(flags, ["--session"]),
  printed: ({ session, text, ended, usage, flags }) => {
    if (after(flags, ["--format"]) !== "json") return ended ? `${text}\n` : "";
    const event = (type: string, part: object) =>
      line({ type, timestamp: 1_790_000_000_000, sessionID: session, part: { sessionID: session, ...part } });
    const opening = event("step_start", { type: "step-start" });
    if (!ended) return opening;
    const tokens = {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      reasoning: 0,
      cache: { read: usage?.cache_read_tokens ?? 0, write: usage?.cache_creation_tokens ?? 0 },
    };
    return (
      opening +
      event("text", { type: "text", text }) +
      event("step_finish", { type: "step-finish", reason: "stop", cost: usage?.cost_usd ?? 0, tokens })
    );
  },
  limited: (_, until) =>
    line({ type: "error", error: { name: "APIError", data: { message: noticeOf(until), statusCode: 429 } } }),
};
