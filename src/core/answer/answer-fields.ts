import { fieldsOf } from "../json-value.ts";
import { flag, WORK_TYPES } from "./status-block.ts";

/** The claims in an answer's JSON fields, which are equivalent to the status block (product.md "Status block"). */
export type FieldClaims = {
  complete: boolean;
  /** One of the listed words, null for any other. */
  status: "IN_PROGRESS" | "COMPLETE" | "BLOCKED" | null;
  exit_signal: boolean | null;
  /** One of the block's words; TEST_ONLY is TESTING. */
  work_type: (typeof WORK_TYPES)[number] | null;
  files_modified: number | null;
  error_count: number;
  confidence: number | null;
  /** How many of `metadata.progress_indicators` there are. */
  progress_indicators: number;
  summary: string | null;
};

/** Reads the flat fields and those of `metadata`; a field of an unexpected type counts as missing. */
export function fieldClaims(fields: Readonly<Record<string, unknown>>): FieldClaims {
  const metadata = fieldsOf(fields.metadata);
  const complete = word(metadata.completion_status) === "COMPLETE";
  const status = word(fields.status);
  return {
    complete,
    status: complete ? "COMPLETE" : isStatus(status) ? status : null,
    exit_signal: flagOf(fields.exit_signal),
    work_type: workType(word(fields.work_type)),
    files_modified: count(metadata.files_changed) ?? count(fields.files_modified),
    error_count: count(fields.error_count) ?? (flagOf(metadata.has_errors) === true ? 1 : 0),
    confidence: percentage(fields.confidence),
    progress_indicators: Array.isArray(metadata.progress_indicators) ? metadata.progress_indicators.length : 0,
    summary: typeof fields.summary === "string" ? fields.summary : null,
  };
}

function word(value: unknown): string | null {
  return typeof value === "string" ? value.trim().toUpperCase() : null;
}

function isStatus(value: string | null): value is "IN_PROGRESS" | "COMPLETE" | "BLOCKED" {
  return value === "IN_PROGRESS" || value === "COMPLETE" || value === "BLOCKED";
}

function workType(value: string | null): FieldClaims["work_type"] {
  return value === "TEST_ONLY" ? "TESTING" : (WORK_TYPES.find((one) => one === value) ?? null);
}

function flagOf(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  return typeof value === "string" ? flag(value) : null;
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Some answers give a fraction of 1, others percent. */
function percentage(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  const percent = value > 0 && value < 1 ? value * 100 : value;
  return Math.round(Math.min(Math.max(percent, 0), 100));
}
