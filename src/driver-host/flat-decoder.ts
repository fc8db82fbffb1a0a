import type { AgentEvent, Decoder, DecoderKit } from "../driver.ts";

/**
 * Reads JSON answers of no known CLI: an object with flat claims (status, exit_signal …) beside its text. An object with a
 * type is an unknown event.
 */
export function flatDecoder({ json, isRecord, str, num, sessionId, emptyUsage }: DecoderKit): Decoder {
  const answer = (object: Record<string, unknown>): AgentEvent[] => {
    const metadata = isRecord(object.metadata) ? object.metadata : {};
    const id = sessionId(object);
    const usage = isRecord(object.usage) ? object.usage : isRecord(metadata.usage) ? metadata.usage : {};
    const denials = Array.isArray(object.permission_denials) ? object.permission_denials.filter(isRecord) : [];
    return [
      ...(id === null ? [] : [{ type: "session_id", session_id: id } as const]),
      ...denials.map((denial) => ({
        type: "denied" as const,
        tool: str(denial.tool_name) ?? "unknown",
        command: isRecord(denial.tool_input) ? str(denial.tool_input.command) : null,
        tool_use_id: str(denial.tool_use_id),
      })),
      {
        type: "usage",
        ...emptyUsage(),
        input_tokens: num(usage.input_tokens),
        output_tokens: num(usage.output_tokens),
      },
      {
        type: "finished",
        ok: object.is_error !== true,
        text: str(object.result) ?? str(object.summary),
        fields: object,
        duration_ms: num(object.duration_ms),
        cost_usd: num(object.total_cost_usd),
      },
    ];
  };
  const event = (object: Record<string, unknown>): AgentEvent[] => {
    const type = str(object.type);
    return type === null ? answer(object) : [{ type: "unknown", name: type }];
  };
  return {
    line(text) {
      return [json(text)].flat().filter(isRecord).flatMap(event);
    },
    end: () => [],
  };
}
