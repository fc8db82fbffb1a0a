import type { AgentEvent, Decoder, DecoderKit } from "../driver.ts";

/**
 * Reads JSON answers of no known CLI: an object with flat claims (status, exit_signal …) beside its text. An object with a
 * type is an unknown event.
 */
export function flatDecoder({
  json,
  isRecord,
  fields,
  records,
  str,
  num,
  sessionId,
  emptyUsage,
  wordsClass,
}: DecoderKit): Decoder {
  /** What an object says in the place of an answer; beside one, an error may be anything. */
  const failure = (object: Record<string, unknown>): string | null => {
    if (object.is_error !== true && (str(object.result) ?? str(object.summary)) !== null) return null;
    const told = isRecord(object.error) ? str(object.error.message) : str(object.error);
    return (told ?? "") === "" ? null : told;
  };
  const answer = (object: Record<string, unknown>): AgentEvent[] => {
    const failed = failure(object);
    const metadata = fields(object.metadata);
    const id = sessionId(object);
    const usage = isRecord(object.usage) ? object.usage : fields(metadata.usage);
    return [
      ...(id === null ? [] : [{ type: "session_id", session_id: id } as const]),
      ...records(object.permission_denials).map((denial) => ({
        type: "denied" as const,
        tool: str(denial.tool_name) ?? "unknown",
        command: str(fields(denial.tool_input).command),
        tool_use_id: str(denial.tool_use_id),
      })),
      {
        type: "usage",
        ...emptyUsage(),
        input_tokens: num(usage.input_tokens),
        output_tokens: num(usage.output_tokens),
      },
      ...(failed === null
        ? []
        : [{ type: "error", message: failed, class: wordsClass(failed, null) ?? "infrastructure" } as const]),
      {
        type: "finished",
        ok: failed === null && object.is_error !== true,
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
  return { line: (text) => [json(text)].flat().filter(isRecord).flatMap(event), end: () => [] };
}
