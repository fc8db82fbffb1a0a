import type { ErrorClass } from "../driver.ts";

/** The error class of an HTTP status. 402 is an unpaid bill; 408 and 0 (no answer at all) are network errors. */
export function httpClass(status: number): ErrorClass {
  if (status === 429) return "limit";
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "config";
  return status >= 400 && status < 500 && status !== 408 ? "request" : "infrastructure";
}
