import { stripAnsi } from "../core/text/plain-text.ts";
import type { Decoder } from "../driver.ts";

/**
 * Reads plain text output (format `text`, and drivers without a decoder): all of it is one text block and the final answer.
 * Plain text cannot report a failure, so the exit code decides.
 */
export function textDecoder(): Decoder {
  const lines: string[] = [];
  return {
    line(text) {
      lines.push(withoutFrame(text));
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

const EDGES = "│┃║";

/** What a line says, without the frame that a CLI draws around it. */
export function withoutFrame(line: string): string {
  const text = stripAnsi(line).trim();
  const isFramed = text.length > 1 && EDGES.includes(text.charAt(0)) && EDGES.includes(text.charAt(text.length - 1));
  return isFramed ? text.slice(1, -1).replace(/^ /, "").trimEnd() : line;
}
