import { describe, expect, test } from "bun:test";
import { readStatus } from "../../../src/core/answer/status-block.ts";

const DONE = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
const OPEN = "---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---";
const TEMPLATE =
  "---RALPH_STATUS---\nSTATUS: IN_PROGRESS | COMPLETE | BLOCKED\nEXIT_SIGNAL: false | true\n---END_RALPH_STATUS---";

/** [status, exit signal] of the block that counts; null for no block. */
function read(text: string): [string | null, boolean | null] | null {
  const { block } = readStatus(text);
  return block === null ? null : [block.status, block.exit_signal];
}

describe("a status block is understood", () => {
  const forms: [string, string][] = [
    ["as documented", DONE],
    ["with CRLF", DONE.replaceAll("\n", "\r\n")],
    ["with CR alone", DONE.replaceAll("\n", "\r")],
    ["in lower case", DONE.toLowerCase()],
    ["indented", DONE.replaceAll(/^/gm, "    ")],
    ["in a code fence", `Over.\n\`\`\`text\n${DONE}\n\`\`\``],
    ["bold", "**---RALPH_STATUS---**\n**STATUS**: COMPLETE\n**EXIT_SIGNAL:** true\n**---END_RALPH_STATUS---**"],
    ["as a list", "---RALPH_STATUS---\n- STATUS: COMPLETE\n* `EXIT_SIGNAL`: `true`\n---END_RALPH_STATUS---"],
    ["with quotes", '---RALPH_STATUS---\n"STATUS": "COMPLETE",\nEXIT_SIGNAL: \'true\'\n---END_RALPH_STATUS---'],
    [
      "with a blank before the colon",
      "---RALPH_STATUS---\nSTATUS : COMPLETE\nEXIT_SIGNAL :true\n---END_RALPH_STATUS---",
    ],
    [
      "with words after the value",
      "---RALPH_STATUS---\nSTATUS: COMPLETE (all)\nEXIT_SIGNAL: true, at last\n---END_RALPH_STATUS---",
    ],
    ["with the marker after text", `All closed. ${DONE}`],
    [
      "with the end marker after a field",
      "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true ---END_RALPH_STATUS---",
    ],
    ["in the YAML form", "Over.\nRALPH_STATUS:\n  STATUS: COMPLETE\n  EXIT_SIGNAL: true\n  reason: done"],
    ["in the YAML form in a fence", "RALPH_STATUS:\n```yaml\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n```"],
    ["under a heading", "## RALPH_STATUS\n\n- **STATUS:** COMPLETE\n- **EXIT_SIGNAL:** true"],
    ["with literal line ends", DONE.replaceAll("\n", "\\n")],
    ["without its end", DONE.replace("\n---END_RALPH_STATUS---", "")],
    ["after an echoed template", `${TEMPLATE}\n\n${DONE}`],
    ["before an echoed template", `${DONE}\n\nAs you asked:\n${TEMPLATE}`],
    ["after another block", `${OPEN}\nmore\n${DONE}`],
    ["before a mere mention", `${DONE}\nThat was the ---RALPH_STATUS---`],
    ["beside prose that contradicts it", `${DONE}\nI will not set EXIT_SIGNAL: false now.`],
  ];
  for (const [how, text] of forms)
    test(`if it is written ${how}`, () => expect(read(text)).toEqual(["COMPLETE", true]));
});

describe("the status block or value read", () => {
  const forms: [string, string, ReturnType<typeof read>][] = [
    ["nothing", "", null],
    ["prose that names the block", "The RALPH_STATUS: block is required; EXIT_SIGNAL: true comes later.", null],
    ["a quoted block", DONE.replaceAll(/^/gm, "> "), null],
    ["a quoted block after a real one", `${OPEN}\n${DONE.replaceAll(/^/gm, "> ")}`, ["IN_PROGRESS", false]],
    ["the prompt's template", TEMPLATE, null],
    ["an unterminated block without a verdict", "---RALPH_STATUS---\nWORK_TYPE: TESTING\n", null],
    ["fields without a marker", "STATUS: COMPLETE\nEXIT_SIGNAL: true", null],
    [
      "words that are not listed",
      "---RALPH_STATUS---\nSTATUS: DONE\nEXIT_SIGNAL: yes\n---END_RALPH_STATUS---",
      [null, null],
    ],
    [
      "choices by a slash",
      "---RALPH_STATUS---\nSTATUS: BLOCKED\nEXIT_SIGNAL: true/false\n---END_RALPH_STATUS---",
      ["BLOCKED", null],
    ],
    [
      "an empty value",
      "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL:\n---END_RALPH_STATUS---",
      ["COMPLETE", null],
    ],
    [
      "prose below an unterminated block",
      "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: false\n\nEXIT_SIGNAL: true",
      ["COMPLETE", false],
    ],
    ["prose below a YAML block", "RALPH_STATUS:\n  STATUS: BLOCKED\n\nEXIT_SIGNAL: true", ["BLOCKED", null]],
    ["an empty block after a full one", `${DONE}\n---RALPH_STATUS---\n---END_RALPH_STATUS---`, [null, null]],
  ];
  for (const [what, text, expected] of forms) test(`from ${what}`, () => expect(read(text)).toEqual(expected));
});

test("every field of a status block is read, and lines count from one", () => {
  const text = [
    "Work.",
    "---RALPH_STATUS---",
    "STATUS: BLOCKED",
    "TASKS_COMPLETED_THIS_LOOP: 2",
    "FILES_MODIFIED: 13 files",
    "TESTS_STATUS: not_run",
    "WORK_TYPE: Testing",
    "EXIT_SIGNAL: false",
    "RECOMMENDATION: **Ask**: who owns the key?",
    "---END_RALPH_STATUS---",
  ].join("\n");
  expect(readStatus(text)).toEqual({
    block: {
      status: "BLOCKED",
      exit_signal: false,
      tasks_completed: 2,
      files_modified: 13,
      tests_status: "NOT_RUN",
      work_type: "TESTING",
      recommendation: "Ask**: who owns the key?",
      first_line: 2,
      last_line: 10,
    },
    prose: ["Work.", "", "", "", "", "", "", "", "", ""],
  });
});

test.each([
  ["status", "STATUS", ["IN_PROGRESS", "COMPLETE", "BLOCKED"]],
  ["tests_status", "TESTS_STATUS", ["PASSING", "FAILING", "NOT_RUN"]],
  ["work_type", "WORK_TYPE", ["IMPLEMENTATION", "TESTING", "DOCUMENTATION", "REFACTORING"]],
] as const)("each documented word of the field %s is read", (field, key, words) => {
  const read = (word: string) => readStatus(`---RALPH_STATUS---\n${key}: ${word}\n---END_RALPH_STATUS---`).block;
  expect(words.map((word) => read(word)?.[field])).toEqual([...words]);
});

test("invalid numbers and a placeholder recommendation in a status block count as missing", () => {
  const { block } = readStatus(
    "---RALPH_STATUS---\nTASKS_COMPLETED_THIS_LOOP: 0 | 1\nFILES_MODIFIED: <number>\nRECOMMENDATION: <one line>\n---END_RALPH_STATUS---",
  );
  expect(block).toMatchObject({ tasks_completed: 0, files_modified: null, recommendation: null });
});

test.each([
  ["---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---", false],
  ["---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: false\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---", false],
])("a status block that contradicts itself is not done: %j", (text, exit) =>
  expect(read(text)).toEqual(["COMPLETE", exit]),
);

test.each<[string, boolean | null]>([
  ["no", false],
  ["**No.**", false],
  ["not yet", false],
  ["not true", false],
  ["no, two modules are left", false],
  ["never", false],
  ["off", false],
  ["n", false],
  ["no/yes", null],
  ["none", null],
  ["nothing is left", null],
  ["n/a", null],
])("EXIT_SIGNAL: %s reads as %p", (value, read) => {
  const text = `---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: ${value}\n---END_RALPH_STATUS---`;
  expect(readStatus(text).block?.exit_signal).toBe(read);
});

test("a second EXIT_SIGNAL that says no takes the first one back", () => {
  const text = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\nEXIT_SIGNAL: no\n---END_RALPH_STATUS---";
  expect(readStatus(text).block?.exit_signal).toBe(false);
});

test.each<[string, string | null]>([
  ["FAILED", "FAILING"],
  ["fail", "FAILING"],
  ["**Failures**", "FAILING"],
  ["3 failing", "FAILING"],
  ["2 tests failed", "FAILING"],
  ["0 failing", null],
  ["PASSING | FAILING | NOT_RUN", null],
  ["failing/passing", null],
  ["no failures", null],
  ["Failed: 0, passed: 12", null],
  ["Failures: none", null],
  ["1 failure fixed, all pass", null],
  ["10 failed before, now PASSING", "PASSING"],
  ["3 tests failed at first, all pass now", null],
  ["FAILING -> PASSING", "PASSING"],
  ["FAILING before and after", "FAILING"],
  ["2 failed before, 1 passing, 1 still failing", "FAILING"],
  ["FAILED earlier, fixed, all 12 tests pass", null],
  ["2 failing, same as before; 40 passing", "FAILING"],
  ["2 failing before, 40 passing", "FAILING"],
  ["2 failed as before, 40 passed", "FAILING"],
  ["FAILING (2 failures as before, 98 passing)", "FAILING"],
  ["FAILING before and not PASSING now", "FAILING"],
  ["FAILING before and now, 3 passing", "FAILING"],
  ["FAILING -> not yet PASSING", "FAILING"],
  ["FAILED -> 3/10 passing", "FAILING"],
  ["10 failed before, now 3 passing", "FAILING"],
  ["FAILING -> PASSING but for 2", "FAILING"],
])("TESTS_STATUS: %s reads as %p", (value, read) => {
  const text = `---RALPH_STATUS---\nSTATUS: COMPLETE\nTESTS_STATUS: ${value}\n---END_RALPH_STATUS---`;
  expect(readStatus(text).block?.tests_status ?? null).toBe(read as never);
});
