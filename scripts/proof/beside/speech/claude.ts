import type { Usage } from "../../../../src/driver.ts";
import { after, line, noticeOf, type Said, type Speech } from "./speech.ts";

/** Claude Code: text, one JSON object, or a stream of them, as `--output-format` says. */
export const claude: Speech = {
  version: "2.1.328 (Claude Code)",
  asksModel: (flags) => flags.some((flag) => flag === "-p" || flag === "--print"),
  resumes: (flags) => after(flags, ["--resume", "-r"]),
  printed: (said) => {
    const format = after(said.flags, ["--output-format"]) ?? "text";
    if (format === "text") return said.ended ? `${said.text}\n` : "";
    if (format === "json") return said.ended ? line(result(said)) : "";
    return line(opening(said.session)) + (said.ended ? line(message(said, 1)) + line(result(said)) : turns(said));
  },
  limited: (said, until) => {
    const format = after(said.flags, ["--output-format"]) ?? "text";
    const told = { ...said, text: noticeOf(until), usage: null, exit: 1 };
    if (format === "text") return `${told.text}\n`;
    const end = line({ ...result(told), api_error_status: 429 });
    if (format === "json") return end;
    const rejected = { status: "rejected", resetsAt: Math.ceil(until / 1000), rateLimitType: "five_hour" };
    const info = { type: "rate_limit_event", rate_limit_info: rejected, session_id: said.session };
    return line(opening(said.session)) + line(info) + line(message(told, 1)) + end;
  },
};

function opening(session: string) {
  return { type: "system", subtype: "init", session_id: session, model: "simulated", tools: [] };
}

/** The answers of a call that crashed: a result would have had their sum. */
function turns(said: Said): string {
  const count = said.usage?.turns ?? 1;
  return Array.from({ length: count }, (_, index) => line(message(said, count, index))).join("");
}

/** One of `count` answers that share the tokens of the call. */
function message({ session, usage, text }: Said, count: number, index = 0) {
  const spent = usage === null ? {} : { usage: tokens(usage, count) };
  return {
    type: "assistant",
    session_id: session,
    message: { id: `msg_${index}`, role: "assistant", content: [{ type: "text", text }], ...spent },
  };
}

function result({ session, usage, exit, text }: Said) {
  return {
    type: "result",
    subtype: "success",
    is_error: exit !== 0,
    duration_ms: 1000,
    num_turns: usage?.turns ?? 1,
    result: text,
    session_id: session,
    total_cost_usd: usage?.cost_usd ?? 0,
    usage: usage === null ? {} : tokens(usage, 1),
    permission_denials: [],
  };
}

function tokens(usage: Usage, count: number) {
  const part = (all: number | null) => Math.round((all ?? 0) / count);
  return {
    input_tokens: part(usage.input_tokens),
    output_tokens: part(usage.output_tokens),
    cache_read_input_tokens: part(usage.cache_read_tokens),
    cache_creation_input_tokens: part(usage.cache_creation_tokens),
  };
}
