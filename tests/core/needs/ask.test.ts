/** What needs a person and what does not: a list full of noise is read by nobody. */
import { describe, expect, test } from "bun:test";
import { findQuestions } from "../../../src/core/answer/agent-questions.ts";
import { parseAnswer } from "../../../src/core/answer/analysis.ts";
import type { Analysis } from "../../../src/core/answer/analysis-types.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import { findAsk } from "../../../src/core/needs/ask.ts";
import { analysisOf } from "../given.ts";

type Said = Partial<Analysis> & { text?: string; progress?: boolean };

function ask({ text = "", progress = true, ...about }: Said) {
  return findAsk({ questions: findQuestions([text]) }, analysisOf(about), { progress });
}

describe("a recommendation asks a person for something", () => {
  test.each([
    "Please provide the API key of the mail service.",
    "Provide the Stripe token in .env",
    "Allow sudo systemctl restart for the deploy script",
    "Grant network access to registry.internal",
    "Ask the maintainer which licence applies",
    "Waiting for approval of the schema change",
    "Needs a decision on the currency",
    "You need to log in to the registry",
    "A human must rotate the credentials",
    "The user has to decide between REST and GraphQL",
    "Which approach should I take for the cache?",
    "Needs human intervention: the disk is full",
  ])("%s", (recommendation) => {
    expect(ask({ recommendation })).toEqual({ kind: "request", text: recommendation });
  });
});

test("a question in another language asks a person where nothing was done, and is an offer after work", () => {
  const text = "Soll ich mit der nächsten Aufgabe fortfahren?";
  expect([ask({ text, progress: false }), ask({ text, progress: true })]).toEqual([{ kind: "question", text }, null]);
});

describe("a recommendation is the agent's own next step, and needs nobody", () => {
  test.each([
    "Continue with the next task",
    "go on",
    "Find the fixture",
    "Allow null values in the parser",
    "Add user input validation",
    "The user model needs validation",
    "Implement the approval workflow, which needs an approval table",
    "Provide a default implementation",
    "Confirm that all tests pass",
    "No user input needed, all gates are green",
    "Nothing is needed from a person; no decision required",
    "The user should confirm the password twice",
    "Users must be able to log in",
    "Should I continue with the next task?",
    "Let me know if you have any questions",
    "Review the API key handling",
  ])("%s", (recommendation) => {
    expect(ask({ recommendation })).toBeNull();
  });
});

describe("a question", () => {
  test.each([
    ["Which option do you prefer, SQLite or Postgres? Which approach should I take?", true],
    ["Should I delete the old table?", false],
    ["Shall I go ahead?", false],
    ["Please confirm the new price.", true],
    ["The form is there. Which mail service may I use?", true],
    ["I cannot log in. What is the API key?", false],
  ])("“%s” is one (work done: %p)", (text, progress) => {
    expect(ask({ text, progress })?.kind).toBe("question");
  });

  test.each([
    ["Would you like me to continue with the next task?", false],
    ["Should I proceed with the remaining items?", false],
    ["Let me know if you have any questions.", false],
    ["Let me know if you'd like anything else.", true],
    ["Shall I go ahead?", true],
    ["Would you like me to add more tests?", true],
    ["Should I also update the README?", true],
    ["The form is there. Can I continue with the next task?", false],
    ["The form is there. Is there anything else you want?", true],
    ["Which fixture was stale? The one of the parser; it is mended.", true],
    ["What should happen is that the list is empty.", true],
  ])("“%s” is an offer, and none (work done: %p)", (text, progress) => {
    expect(ask({ text, progress })).toBeNull();
  });

  test("of an answer that claims to be done needs nobody", () => {
    expect(ask({ text: "Should I delete the old table?", has_completion_signal: true })).toBeNull();
  });

  test("is kept whole up to 1,000 characters, on one line and without control characters", () => {
    const text = `Should I take ${"x".repeat(2000)}\u001b[31m?`;
    const asked = ask({ text, progress: false })?.text ?? "";
    expect([asked.length, asked.includes("\u001b")]).toEqual([1000, false]);
  });
});

describe("what a person reads of a question has the code and the quoted words that no rule reads", () => {
  const read = (text: string) => {
    const output = collectEvent(emptyCollectedOutput(), { type: "text", text });
    return findAsk(parseAnswer(output), analysisOf({}), { progress: false })?.text;
  };
  test.each([
    ['Should I use `SQLite` or "Postgres"?', 'Should I use `SQLite` or "Postgres"?'],
    [
      "I read `a.md`. “Who” is the owner: should I ask 'Jane Doe'? I wait.",
      "“Who” is the owner: should I ask 'Jane Doe'?",
    ],
    ['- Should I drop `` `x` `` ("see `y`")?', '- Should I drop `` `x` `` ("see `y`")?'],
  ])("%s", (text, asked) => expect(read(text)).toBe(asked));
});

describe("STATUS: BLOCKED", () => {
  const blocked = { status: "BLOCKED", progress: false } as const;

  test("asks with its recommendation, whatever that says", () => {
    expect(ask({ ...blocked, recommendation: "Find the fixture" })).toEqual({
      kind: "blocked",
      text: "Find the fixture",
    });
  });

  test("asks with its question and its recommendation, each once", () => {
    const text = "Which option is right?";
    expect(ask({ ...blocked, text, recommendation: "Decide" })?.text).toBe("Which option is right? Decide");
    expect(ask({ ...blocked, text, recommendation: `Decide: ${text}` })?.text).toBe(`Decide: ${text}`);
  });

  test("without a reason asks with what the answer says, or that it says nothing", () => {
    expect(ask({ ...blocked, work_summary: "The disk is full." })?.text).toBe("The disk is full.");
    expect(ask({ ...blocked, work_summary: "" })?.text).toBe("It says that it is blocked, and not by what.");
  });
});
