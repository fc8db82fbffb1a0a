import { expect, test } from "bun:test";
import { findQuestions } from "../../../src/core/answer/agent-questions.ts";
import { extractProse } from "../../../src/core/answer/prose.ts";

const countIn = (text: string): number => findQuestions(extractProse(text.split("\n"))).length;

const CASES: [string, number][] = [
  ["Should I use SQLite or Postgres?", 1],
  ["Should I use SQLite? Which option do you prefer?", 2],
  ["Do you want me to go on?", 1],
  ["Please confirm the plan.", 1],
  ["I am waiting for your input.", 1],
  ["Let me know which one you like.", 1],
  ["I need clarification on the schema.", 1],
  ["I decided which approach to take.", 0],
  ["The docs say how should-style assertions work.", 0],
  ["function howShould() {}", 0],
  ["the shoulder Ill", 0],
  ["> Should I go on?", 0],
  ["```\nWould you like tea?\n```", 0],
  ["The dialog asks `Do you want to save?` now.", 0],
  ["Why did it fail? The port was taken.", 0],
  ["The mail is not sent yet.\n\nWhich mail service may I use?", 1],
  ["I need it for the deploy. What is the API key?\n\n", 1],
  ["Which mail service may I use? What is the API key?", 2],
  ["Open:\n- Which of the two schemas is right?\n- Do you have an account there?", 2],
  ["Two files disagree: which one is right?", 1],
  ["Where are the credentials of the staging host?", 1],
  ["Which file broke it? The lexer. It is mended.", 0],
  ["Who calls this? Nobody, so I removed it.", 0],
  ["Can we do better? Yes: the index is now used.", 0],
  ["What is the key? It is the id of the row.", 0],
  ["Does it work? All 12 tests are green.\n\nWhy did it fail before?", 0],
  ["The list is sorted. What is the next task?", 0],
  ["Done. Is there anything else you need?", 0],
  ["What could I do? I took the smaller change.", 0],
  ["So what can I do next?", 0],
  ["Where is the test of the access key table?", 0],
  ["Which one?\n\n---\n", 1],
  ["The plan is above.\n\nWaiting for your approval before proceeding.", 1],
  ["I'm awaiting your go-ahead.", 1],
  ["The old table is unused. Is it OK if I delete it?", 1],
  ["The plan is above. OK to proceed?", 1],
  ["Ready to proceed?", 1],
  ["Proceed?", 1],
  ["1. Postgres\n2. SQLite\n\nPlease choose one of these.", 1],
  ["Tell me which one you prefer.", 1],
  ["The deploy needs a login. Please provide the API key.", 1],
  ["I need you to choose between both.", 1],
  ["I can't continue without your decision on the schema.", 1],
  ["Please choose a file is what the page says now. All tests are green.", 0],
  ["The page says: please choose a file.", 0],
  ["The reviewer asked: is it ok? It is.", 0],
  ["The migration is ready to proceed.", 0],
  ["I need your table in the test, so I added a copy.\n\nAll tests are green.", 0],
  ["Ich brauche eine Entscheidung. Soll ich SQLite oder Postgres verwenden?", 1],
  ["Le schéma est prêt. Dois-je utiliser SQLite ou Postgres ?", 1],
  ["Falta una decisión.\n\n¿Debo usar SQLite o Postgres?", 1],
  ["我需要一个决定。\n我应该使用 SQLite 还是 Postgres？", 1],
  ["データベースはどちらを使いますか？", 1],
  ["Какую базу данных использовать?", 1],
  ["هل أستخدم SQLite أم Postgres؟", 1],
  ["Warum schlug es fehl? Der Port war belegt.", 0],
  ["为什么失败？\n端口被占用。", 0],
  ["Alle Tests sind grün. Fertig?", 0],
  ["Alles ist erledigt.", 0],
];
for (const [text, count] of CASES)
  test(`${count} agent question(s) found in: ${text}`, () => expect(countIn(text)).toBe(count));

test("an agent's question has its line number", () => {
  expect(findQuestions(["Done.", "Ok. Shall I go on?"])).toEqual([
    { text: "Shall I go on?", written: "Shall I go on?", line: 2 },
  ]);
});
