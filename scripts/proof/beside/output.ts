import type { Usage } from "../../../src/driver.ts";
import type { Answer } from "../agent.ts";

/**
 * What the CLI prints for an answer.
 * @param format `text`, `json` or `stream-json`, as its `--output-format` says
 * @param marker put at the end of an answer that claims to be done, in place of the status block
 */
export function printed({ session, events, exit }: Answer, format: string, marker: string | null): string {
  const end = events.find((event) => event.type === "finished");
  if (end?.type !== "finished") return format === "text" ? "" : `${line(opening(session))}`;
  const text = worded(end.text ?? "", marker);
  const usage = events.find((event) => event.type === "usage");
  const result = {
    type: "result",
    subtype: "success",
    is_error: exit !== 0,
    duration_ms: 1000,
    num_turns: 5,
    result: text,
    session_id: session,
    total_cost_usd: usage?.type === "usage" ? usage.cost_usd : 0,
    usage: usage?.type === "usage" ? tokens(usage) : {},
    permission_denials: [],
  };
  if (format === "text") return `${text}\n`;
  if (format === "json") return line(result);
  const said = {
    type: "assistant",
    session_id: session,
    message: { role: "assistant", content: [{ type: "text", text }] },
  };
  return line(opening(session)) + line(said) + line(result);
}

function opening(session: string) {
  return { type: "system", subtype: "init", session_id: session, model: "simulated", tools: [] };
}

function worded(text: string, marker: string | null): string {
  if (marker === null) return text;
  const [said = ""] = text.split("\n\n---RALPH_STATUS---");
  return text.includes("EXIT_SIGNAL: true") ? `${said}\n\n${marker}` : said;
}

function tokens(usage: Usage) {
  return {
    input_tokens: usage.input_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    cache_read_input_tokens: usage.cache_read_tokens ?? 0,
    cache_creation_input_tokens: usage.cache_creation_tokens ?? 0,
  };
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
