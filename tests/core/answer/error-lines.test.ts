import { expect, test } from "bun:test";
import { addErrors, isErrorLine, mainErrorLine, noErrors } from "../../../src/core/answer/error-lines.ts";

const ERRORS = [
  "Error: cannot open db",
  "  ERROR: b",
  "error: c",
  "TypeError: x is not a function",
  "java.lang.NullPointerException: null",
  "[build]: error 5",
  "Link: error in module",
  "Error occurred while reading",
  "step failed with error 5",
  "Exception in thread",
  "Fatal",
  "FATAL: role does not exist",
];
for (const line of ERRORS) test(`an error line is found: ${line}`, () => expect(isErrorLine(line)).toBe(true));

const OTHERS = [
  '"is_error": false',
  '{"type":"result","is_error":false,"result":"Error: x"}',
  '  "error_count": 0, Error: none',
  '"last_error": "Exception in thread"',
  "No errors found",
  "I fixed the error handling",
  "error handling: done",
  "exceptional work",
];
for (const line of OTHERS) test(`no error line is found: ${line}`, () => expect(isErrorLine(line)).toBe(false));

test("equal error lines are kept once and counted each time", () => {
  const errors = addErrors(addErrors(noErrors(), "Error: a 1\nfine\nError: a 2"), "Error: b\r\n");
  expect(errors.lines.map((line) => line.normalised)).toEqual(["Error: a <n>", "Error: b"]);
  expect(errors.lines[0]?.raw).toBe("Error: a 1");
  expect(errors.count).toBe(3);
});

test("a flood of different error lines keeps a bounded number", () => {
  const flood = Array.from({ length: 50_000 }, (_, index) => `Error: ${"x".repeat(index % 30)}`).join("\n");
  const errors = addErrors(noErrors(), flood);
  expect(errors.lines.length).toBe(20);
  expect(errors.count).toBeGreaterThan(10_000);
});

test.each([
  [
    "cargo build",
    "error[E0425]: cannot find value `cart` in this scope\n --> src/lib.rs:3:5\nerror: could not compile `shop` (lib) due to 1 previous error",
    ["error[E0425]: cannot find value `cart` in this scope"],
  ],
  [
    "cargo test",
    "test price ... ok\ntest cart ... FAILED\nerror: test failed, to rerun pass `--lib`",
    ["test cart ... FAILED"],
  ],
  ["bun run", '(fail) the cart is empty\nerror: script "test" exited with code 1', ["(fail) the cart is empty"]],
  ["a tool that names nothing", "FAILURE: Build failed with an exception.", []],
  ["a tool without such words", "(fail) the cart is empty\nerror: expected 1", ["error: expected <n>"]],
])("of %s the lines count that name what failed", (_tool, text, lines) => {
  const errors = addErrors(noErrors(), text);
  expect(errors.lines.map(({ normalised }) => normalised)).toEqual(lines);
  expect(errors.count).toBe(1);
});

test("text without error lines returns the same object", () => {
  const known = addErrors(noErrors(), "Error: a");
  expect(addErrors(known, "all is well")).toBe(known);
});

const CRASH = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/agent.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)

Node.js v22.16.0`;

test.each([
  ["a crash of Node", CRASH, "Error: Cannot find module '/srv/agent.js'"],
  [
    "a crash of Node with an error code",
    CRASH.replace("Error:", "Error [ERR_MODULE_NOT_FOUND]:"),
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/agent.js'",
  ],
  [
    "a traceback of Python",
    "Traceback (most recent call last):\n  File a.py\nValueError: no key\n",
    "ValueError: no key",
  ],
  ["a coloured error", "\u001b[31mstarting\u001b[0m\r\n  \u001b[31merror: no key\u001b[0m", "error: no key"],
  ["a message without an error line", "\nlog in\nthen try again", "log in"],
  ["nothing", "", ""],
])("of %s the line that says what is wrong is told", (_what, message, line) => {
  expect(mainErrorLine(message)).toBe(line);
});

test("what a program warns of before it fails is not what failed", () => {
  const warned = "WARNING: proceeding without aliases\nError finding the home folder: it does not exist";
  expect(mainErrorLine(warned)).toBe("Error finding the home folder: it does not exist");
  const node = "(node:12) [DEP0040] DeprecationWarning: punycode is old\nnpm warn old lockfile\nno such model";
  expect(mainErrorLine(node)).toBe("no such model");
  expect(mainErrorLine("Warning: only this")).toBe("Warning: only this");
});

test("an error is looked for in the first 1,000 characters of a line", () => {
  const at = (column: number) => addErrors(noErrors(), `${"x".repeat(column)} failed with error 5`).count;
  expect([at(900), at(1000)]).toEqual([1, 0]);
});
