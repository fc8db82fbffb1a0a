import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

/** What is missing in a project, and the command that fails because of it. */
export type Gap = { command: string; why: string };

const BLOCK = /---RALPH_GAP---([\s\S]*?)(?:---END_RALPH_GAP---|$)/g;
const FIELD = /^(COMMAND|WHY)\s*:\s*(.*)$/i;
const COMMAND_CHARS = 1000;
const WHY_CHARS = 400;

/**
 * The gap that the answer to a look names: the last block of it, in which list marks, bold type and code fences do not
 * count. A command of several lines is none that could be run as it stands.
 * @returns "none" where the block names no gap; null without a readable block
 */
export function readGap(answer: string): Gap | "none" | null {
  const block = [...answer.matchAll(BLOCK)].at(-1)?.[1];
  if (block === undefined) return null;
  const lines = block
    .split(/\r\n|\n|\r/)
    .map(undressed)
    .filter((line) => line !== "");
  const [command, ...more] = fieldLines(lines, "COMMAND");
  if (command === undefined || /^none\b/i.test(command))
    return lines.some((line) => /^(?:(?:gap|command)\s*:\s*)?none\b/i.test(line)) ? "none" : null;
  if (more.length > 0 || command.length > COMMAND_CHARS || /^<.*>$/.test(command)) return null;
  const why = truncate(singleLine(fieldLines(lines, "WHY").join(" ")), WHY_CHARS);
  return { command: singleLine(command), why };
}

/** The lines of a field, its own first, down to the next field. */
function fieldLines(lines: readonly string[], name: string): string[] {
  const at = lines.findIndex((line) => FIELD.exec(line)?.[1]?.toUpperCase() === name);
  if (at === -1) return [];
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => FIELD.test(line));
  const own = undressed(FIELD.exec(lines[at] ?? "")?.[2] ?? "");
  return [own, ...rest.slice(0, end === -1 ? rest.length : end)].filter((line) => line !== "");
}

/** A line without list marks, bold type, and the backticks around a command or of a fence. */
function undressed(line: string): string {
  const text = line.trim().replace(/^[-*]\s+/, "");
  if (/^`{3,}/.test(text)) return "";
  return text
    .replace(/^\*\*([A-Za-z]+)(?::\*\*|\*\*:)/, "$1:")
    .replace(/^(`+)(.*)\1$/, "$2")
    .trim();
}
