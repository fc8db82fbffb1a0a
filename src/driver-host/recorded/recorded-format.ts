import type { RecordedFormat } from "../../core/answer/analyze-report.ts";
import { isRecord, jsonIn } from "../../core/json-value.ts";
import { splitLines } from "../../core/text/text-lines.ts";
import { parseJsonLine } from "../json-line.ts";
import { identifyDriver } from "./identify-driver.ts";

/** An output split up: lines for the decoder, the objects in them, and the lines that are not JSON. */
export type RecordedLines = {
  format: RecordedFormat;
  lines: readonly string[];
  objects: readonly Record<string, unknown>[];
  plain: readonly string[];
};

const BOM = "\uFEFF";

/**
 * Detects the format of an output: one JSON document (maybe pretty-printed), an array or JSON Lines, each with stray lines,
 * or text.
 */
export function parseRecording(text: string): RecordedLines {
  const content = text.startsWith(BOM) ? text.slice(1) : text;
  return oneDocument(content, []) ?? jsonLines(content) ?? enclosedDocument(content) ?? textLines(splitLines(content));
}

/** Lines of plain text. */
export function textLines(lines: readonly string[]): RecordedLines {
  return { format: "text", lines, objects: [], plain: lines.filter((line) => line.trim() !== "") };
}

function oneDocument(text: string, plain: readonly string[]): RecordedLines | null {
  const value = jsonIn(text);
  if (Array.isArray(value)) return documents("json_array", value, plain);
  return isRecord(value) ? documents("json", [value], plain) : null;
}

/** Decoders read lines, so a document of several lines is put on one, and each element of an array on its own. */
function documents(format: RecordedFormat, values: readonly unknown[], plain: readonly string[]): RecordedLines {
  return { format, lines: values.map((value) => JSON.stringify(value)), objects: values.filter(isRecord), plain };
}

/** JSON Lines. Text may quote JSON too, so stray lines must be few, or the objects those of a known CLI. */
function jsonLines(text: string): RecordedLines | null {
  const lines = splitLines(text).filter((line) => line.trim() !== "");
  const parsed = lines.map(parseJsonLine);
  const objects = parsed.flat().filter(isRecord);
  const plain = lines.filter((_, index) => parsed[index] === null);
  const count = lines.length - plain.length;
  if (count === 0 || (plain.length > count && identifyDriver(objects) === null)) return null;
  if (count > 1) return { format: "jsonl", lines, objects, plain };
  const only = parsed.find((value) => value !== null);
  return documents(Array.isArray(only) ? "json_array" : "json", [only ?? null].flat(), plain);
}

/** A pretty-printed document with other lines before or after it. */
function enclosedDocument(text: string): RecordedLines | null {
  const lines = splitLines(text);
  const first = lines.findIndex((line) => /^[[{]\s*$/.test(line));
  const last = lines.findLastIndex((line) => /^[\]}]\s*$/.test(line));
  if (first < 0 || last <= first) return null;
  const plain = [...lines.slice(0, first), ...lines.slice(last + 1)].filter((line) => line.trim() !== "");
  return oneDocument(lines.slice(first, last + 1).join("\n"), plain);
}
