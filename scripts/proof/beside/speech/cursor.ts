import { after, line, noticeOf, type Speech } from "./speech.ts";

/** Cursor: `cursor-agent -p --output-format stream-json … [--resume ID]`, after its documentation. */
export const cursor: Speech = {
  version: "2026.09.18-a1b2c3d",
  asksModel: (flags) => flags.includes("-p"),
  resumes: (flags) => after(flags, ["--resume"]),
  printed: ({ session, text, ended, exit, flags }) => {
    if (after(flags, ["--output-format"]) !== "stream-json") return ended ? `${text}\n` : "";
    const opening = line({ type: "system", subtype: "init", session_id: session, model: "simulated" });
    if (!ended) return opening;
    const message = { role: "assistant", content: [{ type: "text", text }] };
    return (
      opening +
      line({ type: "assistant", session_id: session, message }) +
      line({
        type: "result",
        subtype: "success",
        is_error: exit !== 0,
        duration_ms: 1000,
        result: text,
        session_id: session,
      })
    );
  },
  limited: (_, until) => line({ type: "result", subtype: "error", is_error: true, result: noticeOf(until) }),
};
