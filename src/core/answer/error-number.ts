import type { ErrorClass } from "../../driver.ts";

/**
 * The class of an HTTP status. 402 is an unpaid bill, 413 a conversation that outgrew the provider; 408 and 0 (no answer at
 * all) are network errors.
 */
export function httpClass(status: number): ErrorClass {
  if (status === 429) return "limit";
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "billing";
  if (status === 413) return "context";
  return status >= 400 && status < 500 && status !== 408 ? "request" : "infrastructure";
}

/** A status beside a word that says that it is one: `HTTP 503`, `"status":400`, `(401)`. */
const STATUS =
  /\b(?:status(?:[ _]?code)?|error|http(?:\/\d(?:\.\d)?)?|code|response)["']?[ :=(]{0,3}([45]\d\d)\b|\(([45]\d\d)\)/i;
/** A status before its name or its answer: `502 Bad Gateway`, `401 {"type":…`. */
const NAMED = /(?:^|[^\w.])([45]\d\d) (?:[A-Z][a-z]|[A-Z]{2}|\{)/m;
/** JSON-RPC 2.0, section 5.1. */
const JSON_RPC = /\b(?:code|error)["']?[ :=(]{0,3}(-32\d{3})\b/i;

/** The class of the first number in an error text that is a status of HTTP or a code of JSON-RPC; null without one. */
export function numberClass(text: string): ErrorClass | null {
  const status = (STATUS.exec(text) ?? NAMED.exec(text))?.slice(1).find((group) => group !== undefined);
  if (status !== undefined) return httpClass(Number(status));
  const code = JSON_RPC.exec(text)?.[1];
  return code === undefined ? null : jsonRpcClass(Number(code));
}

/** An unknown method means that two versions do not fit; a refused request may be right another time. */
function jsonRpcClass(code: number): ErrorClass {
  if (code === -32601) return "config";
  return code === -32600 || code === -32602 ? "request" : "infrastructure";
}
