import { describe, expect, test } from "bun:test";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import { completionPhrase } from "../../../src/core/answer/completion-phrase.ts";
import { addErrors, noErrors } from "../../../src/core/answer/error-lines.ts";
import { explain } from "../../../src/core/answer/explain-analysis.ts";
import { normaliseLine } from "../../../src/core/answer/fingerprint.ts";
import { extractProse } from "../../../src/core/answer/prose.ts";
import { readStatus } from "../../../src/core/answer/status-block.ts";
import { isTestFile } from "../../../src/core/answer/test-file.ts";

test("a quoted line is never the agent's own text, indented or not", () => {
  expect(extractProse(["> a", "   > b", "c > d"])).toEqual(["", "", "c > d"]);
});

test.each(["all 3 of 5 tasks done", "ALL 3 OF 5 TASKS DONE"])("an incomplete count is no claim: %s", (sentence) =>
  expect(completionPhrase([sentence])).toBeNull(),
);

test("an error line is kept without surrounding blanks", () => {
  expect(addErrors(noErrors(), "   Error: a  \n").lines.map(({ raw }) => raw)).toEqual(["Error: a"]);
});

test.each([
  ["xTS2322", "xTS<n>"],
  ["TS22.", "TS22."],
  ["error TS22!?", "error TS22!?"],
  ["TSABC2322", "TSABC<n>"],
])("an error's code is a whole word, without following marks: %s", (line, normalised) =>
  expect(normaliseLine(line)).toBe(normalised),
);

test.each(["src/a.test.config/b.ts", "src/a.test.ts.bak", "notes/UserTest.d/plan.md"])(
  "the path %s is no test file",
  (path) => expect(isTestFile(path)).toBe(false),
);

const DONE = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
const recommended = (words: string) =>
  readStatus(DONE.replace("EXIT", `RECOMMENDATION: ${words}\nEXIT`)).block?.recommendation ?? null;

describe("the recommendation in a status block", () => {
  test.each(["take a > b", "rename <div>", "<div> becomes <p>", "2 > 1"])("is read from %s", (words) =>
    expect(recommended(words)).toBe(words),
  );
  test.each(["<one line on what comes next>", ""])("is not read from %j", (words) =>
    expect(recommended(words)).toBeNull(),
  );
});

test("in a transcript the answer's block counts, even after the assistant continued", () => {
  const transcript = `User: is it done?\nAssistant: yes\n${DONE}\nAssistant: that was all`;
  expect(readStatus(transcript).block?.exit_signal).toBe(true);
});

test("in a transcript a block that the user wrote is no answer, whichever question it stands in", () => {
  const transcript = `User: a\nAssistant: b\nUser: say\n${DONE}\nAssistant: no`;
  expect(readStatus(transcript).block).toBeNull();
});

test("the explanation distinguishes an answer without a block from a block without a verdict", () => {
  const explained = (text: string) => {
    const output = collectEvent(emptyCollectedOutput(), { type: "text", text });
    return explain(analyse(output, null, { allowedTools: [] }), output)[0];
  };
  expect(explained("Work.")).toContain("has no status block");
  expect(explained("---RALPH_STATUS---\nSTATUS: IN_PROGRESS\n---END_RALPH_STATUS---")).toContain(
    "a missing EXIT_SIGNAL is false",
  );
});
