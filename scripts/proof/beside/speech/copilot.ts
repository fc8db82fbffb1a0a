import { after, line, noticeOf, type Speech } from "./speech.ts";

/** GitHub's Copilot CLI: `copilot --output-format json … --session-id ID | --resume=ID`, as recorded from 1.0.102. */
export const copilot: Speech = {
  version: "GitHub Copilot CLI 1.0.102",
  asksModel: (flags) => !/^[a-z]/.test(flags[0] ?? ""),
  resumes: (flags) => flags.find((flag) => flag.startsWith("--resume="))?.slice("--resume=".length) ?? null,
  printed: ({ session, text, ended, exit, flags }) => {
    if (after(flags, ["--output-format"]) !== "json") return ended ? `${text}\n` : "";
    const at = "2026-11-01T08:00:00.000Z";
    const opening = line({ type: "assistant.turn_start", timestamp: at, data: { turnId: "0" } });
    if (!ended) return opening;
    return (
      opening +
      line({ type: "assistant.message", timestamp: at, data: { messageId: "m", content: text, toolRequests: [] } }) +
      line({ type: "assistant.turn_end", timestamp: at, data: { turnId: "0" } }) +
      line({ type: "result", timestamp: at, sessionId: session, exitCode: exit, usage: { premiumRequests: 1 } })
    );
  },
  limited: (_, until) =>
    line({ type: "session.error", data: { errorType: "quota", statusCode: 429, message: noticeOf(until) } }),
};
