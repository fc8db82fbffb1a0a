import type { Decoder } from "../driver.ts";

/**
 * Reads plain text output (format `text`, and drivers without a decoder): all of it is one text block and the final answer.
 * Plain text cannot report a failure, so the exit code decides.
 */
export function textDecoder(): Decoder {
  const lines: string[] = [];
  return {
    line(text) {
      lines.push(text);
      return [];
    },
    end() {
      const text = lines.join("\n");
      if (text.trim() === "") return [];
      return [
        { type: "text", text },
        { type: "finished", ok: true, text, duration_ms: null, cost_usd: null },
      ];
    },
  };
}
