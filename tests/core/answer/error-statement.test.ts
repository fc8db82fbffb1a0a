import { describe, expect, test } from "bun:test";
import { errorLinesOfAnswer, statementInstead } from "../../../src/core/answer/error-excerpt.ts";
import { numberClass } from "../../../src/core/answer/error-number.ts";
import { classifyError, isErrorStatement } from "../../../src/core/answer/error-patterns.ts";

const BLOCK = "---RALPH_STATUS---\nSTATUS: IN_PROGRESS\n---END_RALPH_STATUS---";
const classOf = (message: string) => classifyError(message)?.class ?? null;

test.each([
  ["API Error: 529 overloaded"],
  ["  ✗ Error: something odd"],
  ["TypeError: x is not a function"],
  ["Prompt is too long"],
  ["\u001b[31mYou've hit your limit · resets 3pm\u001b[0m"],
  ["Claude AI usage limit reached|1749924000"],
  [`Error: ${"x".repeat(293)}`],
])("is a CLI's own statement: %s", (line) => expect(isErrorStatement(line)).toBe(true));

test.each([
  [""],
  ["   "],
  ["It prints Error: rate limit where it should wait."],
  ["Errors of the limiter are tested."],
  ["Users see: Prompt is too long"],
  ["The page explains what to do when you've hit your limit."],
  [`Error: ${"x".repeat(294)}`],
])("is no statement of a CLI: %j", (line) => expect(isErrorStatement(line)).toBe(false));

describe("of a plain answer, the lines that may state an error", () => {
  test("are the last two with words, where they are statements", () => {
    expect(errorLinesOfAnswer(["Error: a", "Error: b", " ", "Error: c", ""], "Error: a")).toEqual([
      "Error: b",
      "Error: c",
    ]);
    expect(errorLinesOfAnswer(["Error: a", "Worked.", "Error: c"], "")).toEqual(["Error: c"]);
  });
  test("are none beside a status block", () => {
    expect(errorLinesOfAnswer(["Error: a"], `Error: a\n${BLOCK}`)).toEqual([]);
  });
});

describe("in the place of an answer stands", () => {
  test.each<[string, string, string[], string | null]>([
    ["a statement alone", "Prompt is too long", [], "Prompt is too long"],
    [
      "a statement and what to do",
      "\nPrompt is too long\n \nStart anew.\n",
      [],
      "\nPrompt is too long\n \nStart anew.\n",
    ],
    ["no statement with more after it", "Prompt is too long\none\ntwo", [], null],
    ["no statement after an answer", "Worked.\nPrompt is too long", [], null],
    ["stderr, if nothing was said", " \n", ["a", "b"], "a\nb"],
    ["nothing, if nothing was said at all", "", [], null],
    ["no stderr beside an answer", "Worked.", ["Prompt is too long"], null],
  ])("%s", (_, answer, stderr, expected) => expect(statementInstead(answer, stderr)).toBe(expected));
});

describe("the class of an error", () => {
  test("comes from its lines that are marked as errors, if they say anything", () => {
    expect(classOf("user: fix the rate limit\nError: Session not found")).toBe("session");
    expect(classOf("Error: odd\nRate limit exceeded")).toBe("limit");
  });
  test("comes from words before numbers, except where the words only tell of a request", () => {
    expect(classOf("connection reset (HTTP 401)")).toBe("infrastructure");
    expect(classOf("bad request (HTTP 401)")).toBe("auth");
    expect(classOf("bad request")).toBe("request");
  });
  test("comes from the end of a long text", () => {
    expect(classOf(`Prompt is too long\n${"x".repeat(8000)}`)).toBeNull();
    expect(classOf(`${"x".repeat(8000)}\nPrompt is too long`)).toBe("context");
  });
  test("passes if only a number or a login that was not renewed tells it", () => {
    const passing = (message: string) => classifyError(message)?.passing;
    expect(["HTTP 401", "HTTP 402", "Token refresh failed: 401", "Unauthorized"].map(passing)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["HTTP 503", "HTTP 413", "Invalid API key", "insufficient balance"].map(passing)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

test.each([
  ["HTTP 503", "infrastructure"],
  ["http/1.1 404", "request"],
  ['{"status":401}', "auth"],
  ["status code: 402", "billing"],
  ["refused (413)", "context"],
  ["error 429", "limit"],
  ["proxy: 502 Bad Gateway", "infrastructure"],
  ['403 {"error":1}', "auth"],
  ["(500) after HTTP 401", "infrastructure"],
  ["code -32600", "request"],
  ["code -32601", "config"],
  ['"code":-32602', "request"],
  ["error: (-32603)", "infrastructure"],
  ["code -32001", "infrastructure"],
  ["code 32601", null],
  ["port 4290", null],
  ["404 of 500 files", null],
  ["line 503", null],
  ["v1.401 Alpha", null],
] as const)("the number in %j tells %p", (text, expected) => expect(numberClass(text)).toBe(expected));
