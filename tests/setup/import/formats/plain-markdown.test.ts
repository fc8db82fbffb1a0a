import { expect, test } from "bun:test";
import { plainMarkdown } from "../../../../src/setup/import/formats/plain-markdown.ts";
import { readTasks } from "../../../../src/setup/import/read/requirements.ts";
import { boxText } from "../../../../src/setup/plan/task.ts";

const tasks = (text: string) =>
  readTasks(plainMarkdown(text), { specOf: null }).map((task) => [boxText(task), ...task.details]);

test("the pages of a PDF keep stories, nested dots and criteria with what they belong to", () => {
  const page = `Shelf

User stories

US-1: Lend a book
As a lender, I want to lend a book for two weeks, so that my
neighbour can read it.

US-2: Rate a loan

As a borrower, I want to rate a loan.
Acceptance criteria
• From one to five stars
• Only once

Functional requirements

• FR-1: Sign in
◦ by mail
▪ with a link
• FR-2: Import a file

Book Id,Title,Author,ISBN13
1,Emma,Jane Austen,9780141439587

Milestones

M1: Walking skeleton

Out of scope for v1

Board games and tools
`;
  expect(tasks(page)).toEqual([
    ["US-1: Lend a book", "As a lender, I want to lend a book for two weeks, so that my neighbour can read it."],
    ["US-2: Rate a loan", "As a borrower, I want to rate a loan.", "From one to five stars", "Only once"],
    ["FR-1: Sign in", "by mail", "with a link"],
    ["FR-2: Import a file"],
  ]);
});

test("a chapter of criteria stays a chapter, and stories one per line stay tasks", () => {
  expect(tasks("Shop\n\nFeatures\n\n- Pay\n\n2. Acceptance criteria\n\n- It works\n")).toEqual([["Pay"]]);
  expect(tasks("Shop\n\nStories\n\nAs a cook, I want a timer.\nAs a cook, I want a bell.\n")).toEqual([
    ["As a cook, I want a timer."],
    ["As a cook, I want a bell."],
  ]);
});
