import { expect, test } from "bun:test";
import { classifyError } from "../../../src/core/answer/error-patterns.ts";

/** One wording of each kind in the table. */
const WORDINGS = [
  "You've hit your limit",
  "usage limit reached",
  "usage_limit_reached",
  "5-hour limit reached",
  "limit reached|1767225600",
  "out of extra usage",
  "insufficient_quota",
  "rate limited",
  "too many requests",
  "throttled",
  "no conversation found with session id",
  "no rollout found for thread id",
  "unknown option",
  "requires --verbose",
  "missing environment variable",
  "unsupported model",
  "insufficient credits",
  "invalid api key",
  "authentication required",
  "oauth token has expired",
  "unauthorized",
  "http 401",
  "enotfound",
  "could not resolve host",
  "network is unreachable",
  "service unavailable",
  "econnreset",
  "socket hang up",
  "fetch failed",
  "stream disconnected",
  "status 503",
  "prompt is too long",
  "bad request",
  "error 418",
];

test.each(WORDINGS)("the error text %s has the same class in upper and lower case", (words) => {
  const found = classifyError(words);
  expect(found).not.toBeNull();
  expect([classifyError(words.toUpperCase()), classifyError(words.toLowerCase())]).toEqual([found, found]);
});
