import { describe, expect, test } from "bun:test";
import { classifyError, limitFromError } from "../../../src/core/answer/error-patterns.ts";
import type { ErrorClass } from "../../../src/driver.ts";

const NOW = Date.parse("2026-11-21T20:00:00Z");
const HOUR = 3_600_000;

describe("the limit and its reset time are read from", () => {
  const limits: [string, "usage_limit" | "rate_limit", string | null][] = [
    ["You've hit your limit · resets 9:42pm (UTC)", "usage_limit", "2026-11-21T21:42:00.000Z"],
    ["You've hit your limit · resets 8am (America/New_York)", "usage_limit", "2026-11-22T13:00:00.000Z"],
    ["usage limit reached, resets 3pm PST", "usage_limit", "2026-11-21T23:00:00.000Z"],
    ["usage limit reached, resets at 15:00 (CET)", "usage_limit", "2026-11-22T14:00:00.000Z"],
    ["usage limit reached. Try again at 9:15 PM UTC+1.", "usage_limit", "2026-11-21T20:15:00.000Z"],
    ["You've hit your limit · resets 3am GMT-3:30", "usage_limit", "2026-11-22T06:30:00.000Z"],
    ["You've hit your limit · resets Nov 24, 3pm EST", "usage_limit", "2026-11-24T20:00:00.000Z"],
    ["You've hit your limit · resets 5:30am (Asia/Kolkata)", "usage_limit", "2026-11-22T00:00:00.000Z"],
    ["You've hit your session limit · resets 7:55pm (UTC)", "usage_limit", "2026-11-21T19:55:00.000Z"],
    ["You've hit your session limit · resets 7:45pm (UTC)", "usage_limit", "2026-11-21T19:45:00.000Z"],
    ["You've hit your session limit · resets 6:05pm (UTC)", "usage_limit", "2026-11-21T18:05:00.000Z"],
    ["You've hit your session limit · resets 5:55pm (UTC)", "usage_limit", "2026-11-22T17:55:00.000Z"],
    ["You've hit your weekly limit · resets Nov 24, 3pm (Europe/Berlin)", "usage_limit", "2026-11-24T14:00:00.000Z"],
    ["You've reached your Opus limit · resets Jan 2 at 9:30am (UTC)", "usage_limit", "2027-01-02T09:30:00.000Z"],
    ["429 budget_exceeded: Budget has been exceeded! It resets in 2 hours", "rate_limit", at(2 * HOUR)],
    ["You have hit your limit until 3pm", "usage_limit", "2026-11-22T15:00:00.000Z"],
    ["5-hour limit reached - resets 3am", "usage_limit", "2026-11-22T03:00:00.000Z"],
    ["5-hour usage limit reached, try again later", "usage_limit", null],
    ["You're out of extra usage · resets 9pm", "usage_limit", "2026-11-21T21:00:00.000Z"],
    ["Usage is paused for your organization. For help, please contact support.", "usage_limit", null],
    ["API Error: Usage credits ran out before the response was finished.", "usage_limit", null],
    ["spend limit reached · resets Dec 8 · request an increase", "usage_limit", "2026-12-08T00:00:00.000Z"],
    ["You've hit your org's monthly spend limit · resets Jan 1, 2027", "usage_limit", "2027-01-01T00:00:00.000Z"],
    ["Claude AI usage limit reached. Please try back later.", "usage_limit", null],
    ["API Error: Request rejected (429) · The usage limit has been reached", "usage_limit", null],
    ["You’ve hit your usage limit. Upgrade to Pro or try again later.", "usage_limit", null],
    [
      "You've hit your usage limit. Upgrade to Plus to continue using Codex, or try again at Nov 28th, 2026 10:15 AM.",
      "usage_limit",
      "2026-11-28T10:15:00.000Z",
    ],
    ["You've hit your org's monthly usage limit · resets Dec 1, 12am (UTC)", "usage_limit", "2026-12-01T00:00:00.000Z"],
    ["You've hit your Opus 4.5 limit · resets 9pm (UTC)", "usage_limit", "2026-11-21T21:00:00.000Z"],
    ["ThrottlingException: Too many tokens, please wait before trying again.", "rate_limit", null],
    ["You’ve hit your usage limit. Try again at Nov 28th, 2026 10:15 AM.", "usage_limit", "2026-11-28T10:15:00.000Z"],
    [
      "You've hit your usage limit. Try again in 3 days 4 hours 12 minutes.",
      "usage_limit",
      at(76 * HOUR + 12 * 60_000),
    ],
    ["You exceeded your current quota. Please try again in 32s.", "usage_limit", at(32_000)],
    ['{"error":{"type":"usage_limit_reached","resets_at":1767225600}}', "usage_limit", "2026-01-01T00:00:00.000Z"],
    ['{"error":{"type":"usage_limit_reached","resets_in_seconds":90}}', "usage_limit", at(90_000)],
    ["Quota exceeded. Your quota will reset after 1h2m3s.", "usage_limit", at(HOUR + 123_000)],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limit", null],
    ["Error: rate limit exceeded (429). Please try again in 20s.", "rate_limit", at(20_000)],
    ["Rate limit reached. Please retry after 1.5 minutes", "rate_limit", at(90_000)],
    [
      "This request would exceed your account's rate limit. Resets at 2026-11-21T22:00:00Z",
      "rate_limit",
      "2026-11-21T22:00:00.000Z",
    ],
    ["RESOURCE_EXHAUSTED: slow down", "rate_limit", null],
  ];
  for (const [message, kind, resets_at] of limits) {
    test(message, () => expect(limitFromError(message, NOW)).toMatchObject({ kind, resets_at, message }));
  }

  function at(ms: number): string {
    return new Date(NOW + ms).toISOString();
  }
});

test.each([
  ["Claude AI usage limit reached|1767225600", "UTC", "Claude AI usage limit reached, resets 2026-01-01 00:00"],
  ["Claude AI usage limit reached|1795298400", "UTC", "Claude AI usage limit reached, resets 22:00"],
  ["Claude AI usage limit reached|1795298400", "Asia/Tokyo", "Claude AI usage limit reached, resets 07:00"],
  ["Error: 5-hour limit reached|1795298400000", "No/Zone", "Error: 5-hour limit reached, resets 22:00"],
])("the seconds at the end of %j become a local time in %s", (message, zone, told) => {
  const limit = limitFromError(message, NOW, zone);
  expect(limit?.message).toBe(told);
  expect(limit?.resets_at).toBe(new Date(Number(/\|(\d{10})/.exec(message)?.[1]) * 1000).toISOString());
});

test("a reset time without a zone is in the user's zone", () => {
  const limit = limitFromError("5-hour limit reached - resets 3am", NOW, "Asia/Tokyo");
  expect(limit?.resets_at).toBe("2026-11-22T18:00:00.000Z");
});

test("a reset time on the day of a clock change is right", () => {
  const resetAfter = (now: string, words: string) => limitFromError(`usage limit reached, ${words}`, Date.parse(now));
  const autumn = resetAfter("2026-10-24T22:30:00Z", "resets 9am (Europe/Berlin)");
  expect(autumn?.resets_at).toBe("2026-10-25T08:00:00.000Z");
  const spring = resetAfter("2026-03-08T06:00:00Z", "resets 5am (America/New_York)");
  expect(spring?.resets_at).toBe("2026-03-08T09:00:00.000Z");
});

test("without the current time only absolute reset times are read", () => {
  expect(limitFromError("usage limit reached|1767225600", null)?.resets_at).toBe("2026-01-01T00:00:00.000Z");
  expect(limitFromError("You've hit your limit · resets 9:42pm (UTC)", null)?.resets_at).toBeNull();
});

test("the line that mentions the limit becomes the message", () => {
  const text = "Reading additional input from stdin...\nERROR: You've hit your usage limit.\nbye";
  expect(limitFromError(text, NOW)?.message).toBe("ERROR: You've hit your usage limit.");
});

test("other error texts are no limit", () => {
  for (const text of ["", "The limit of 3 retries", "prompt is too long", "API Error: 500", "port 4290 in use"]) {
    expect(limitFromError(text, NOW)).toBeNull();
  }
});

test.each([
  ["TypeError: x is not a function\n    at main (/usr/lib/node_modules/agent/cli.js:429:15)"],
  ["TypeError: x is not a function\n    at main (/usr/lib/node_modules/agent/cli.js:12:429)"],
  ['Traceback (most recent call last):\n  File "agent.py", line 429, in main\nKeyError: 1'],
])("the place of a crash is no limit, whatever its line: %j", (text) => {
  expect(limitFromError(text, NOW)).toBeNull();
  expect(classifyError(text)).toBeNull();
});

describe("the error class is read from", () => {
  const classes: [string, ErrorClass | null][] = [
    ["You've hit your limit · resets 9:42pm (UTC)", "limit"],
    ["429 Too Many Requests", "limit"],
    ["No conversation found with session ID: 0000", "session"],
    ["Error: --resume requires a valid session ID or session title", "session"],
    ["Error: Session ID 8e1191b5-d542-4f13-a444-66e8b86e5b11 is already in use.", "session"],
    ["thread/resume failed: no rollout found for thread id 0 (code -32600)", "session"],
    ["\u001b[91m\u001b[1mError: \u001b[0mSession not found", "session"],
    ["No session, task, or name matched", "session"],
    ["Error: No session or task matched '5e550001'", "session"],
    ["thread/resume failed: failed to read thread 0: rollout at r.jsonl is empty (code -32603)", "session"],
    ["error: unknown option '--- start'", "config"],
    ["error: unexpected argument '--full-auto' found", "config"],
    ["--dangerously-skip-permissions cannot be used with root/sudo privileges", "config"],
    ["Not inside a trusted directory and --skip-git-repo-check was not specified.", "config"],
    ["Missing environment variable: `X`.", "config"],
    ["Credit balance is too low", "billing"],
    ["Your seat type doesn't include usage credits", "billing"],
    ["Your seat type doesn’t include extra usage", "billing"],
    ["Your usage allocation has been disabled by your admin", "billing"],
    ["Your group's usage limit is set to $0", "billing"],
    ["Fable 5 requires usage credits. Switch to another model to continue.", "billing"],
    ["This service is disabled for your org", "billing"],
    ["Insufficient credits. Add more using the account page.", "billing"],
    ["402 Payment Required", "billing"],
    ["Error: the retry budget has been exceeded: ECONNRESET", "infrastructure"],
    ["Invalid API key · Fix external API key", "auth"],
    ["Not logged in · Please run /login", "auth"],
    ["unexpected status 401 Unauthorized: invalid x-api-key", "auth"],
    ["Failed with provider at http://127.0.0.1:4010/v1 (HTTP 401).", "auth"],
    ["Error: Authentication required. Please run 'cursor-agent login' first", "auth"],
    ["Error: No authentication information found.", "auth"],
    ["getaddrinfo ENOTFOUND api.example.com", "offline"],
    ["Reconnecting... waiting for network (x)", "offline"],
    ["Unable to connect to API (FailedToOpenSocket)", "offline"],
    ["API Error: Unable to connect to API (ECONNRESET)", "infrastructure"],
    ["API Error: Repeated 529 Overloaded errors. The API is at capacity", "infrastructure"],
    ["API Error: 500 Internal server error.", "infrastructure"],
    ["unexpected status 503: busy", "infrastructure"],
    ["We’re currently experiencing high demand", "infrastructure"],
    ["stream disconnected before completion: error sending request", "infrastructure"],
    ["Prompt is too long · 250000 tokens", "context"],
    ["API Error: 400 tool use concurrency", "request"],
    ["Codex ran out of room in the model's context window.", "context"],
    ["something odd", null],
    ["", null],
  ];
  for (const [text, expected] of classes) test(text, () => expect(classifyError(text)?.class ?? null).toBe(expected));
});
