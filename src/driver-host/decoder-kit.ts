import { httpClass } from "../core/answer/error-number.ts";
import { statedClass } from "../core/answer/error-patterns.ts";
import { noUsage } from "../core/journal/usage.ts";
import { fieldsOf, isRecord, num, recordsOf, str } from "../core/json-value.ts";
import type { DecoderKit } from "../driver.ts";
import { parseJsonLine } from "./json-line.ts";
import { denied, toolCall, toolCalls } from "./tool-call.ts";

/** The helpers that each decoder gets as its argument: a driver file may import only types. */
export const decoderKit: DecoderKit = {
  json: parseJsonLine,
  isRecord,
  fields: fieldsOf,
  records: recordsOf,
  str,
  num,
  sessionId,
  toolCall,
  toolCalls,
  denied,
  time,
  httpClass,
  wordsClass: statedClass,
  emptyUsage: noUsage,
};

/** Epoch values below this are seconds, others milliseconds: as seconds it is the year 5138, as milliseconds 1973. */
const FIRST_MILLISECONDS = 1e11;
const ISO_LIKE = /^\d{4}-\d{2}-\d{2}/;
const DIGITS = /^\d+(?:\.\d+)?$/;

/** The generic search of the driver contract ("Session ID Recovery Chain"). */
function sessionId({ sessionId: camel, metadata, session_id }: Record<string, unknown>): string | null {
  const nested = isRecord(metadata) ? metadata.session_id : null;
  return str(camel) || str(nested) || str(session_id) || null;
}

function time(value: unknown): string | null {
  if (typeof value === "string") {
    const text = value.trim();
    if (DIGITS.test(text)) return time(Number(text));
    return ISO_LIKE.test(text) ? isoTime(Date.parse(text)) : null;
  }
  const epoch = num(value);
  if (epoch === null || epoch <= 0) return null;
  return isoTime(epoch < FIRST_MILLISECONDS ? epoch * 1000 : epoch);
}

function isoTime(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
