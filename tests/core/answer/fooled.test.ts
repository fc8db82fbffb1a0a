/** Answers that mention completion without claiming it: none may be taken for "done". */
import { describe, expect, test } from "bun:test";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";

function analysed(text: string) {
  const answer = { type: "finished", ok: true, text, duration_ms: null, cost_usd: null } as const;
  return analyse(collectEvent(emptyCollectedOutput(), answer), null, { allowedTools: [] });
}

function block(...lines: string[]): string {
  return ["---RALPH_STATUS---", ...lines, "---END_RALPH_STATUS---"].join("\n");
}

const DONE = block("STATUS: COMPLETE", "EXIT_SIGNAL: true");
const GOING_ON = block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: false");
const eachLine = (text: string, change: (line: string, index: number) => string) =>
  text.split("\n").map(change).join("\n");

describe("no done signal is read from", () => {
  const answers: [string, string][] = [
    ["a quoted block", eachLine(DONE, (line) => `> ${line}`)],
    ["a block in a quote in a quote", eachLine(DONE, (line) => `>> ${line}`)],
    ["the template with bars", block("STATUS: IN_PROGRESS | COMPLETE | BLOCKED", "EXIT_SIGNAL: false | true")],
    ["the template in angle brackets", block("STATUS: <COMPLETE|BLOCKED>", "EXIT_SIGNAL: <true|false>")],
    ["the template in square brackets", block("STATUS: [COMPLETE/BLOCKED]", "EXIT_SIGNAL: [true/false]")],
    ["the template in words", block("STATUS: COMPLETE or IN_PROGRESS", "EXIT_SIGNAL: true or false")],
    ["the template as a list", block("STATUS: COMPLETE, IN_PROGRESS or BLOCKED", "EXIT_SIGNAL: true, false")],
    ["an example before the real block", `The form is:\n\`\`\`\n${DONE}\n\`\`\`\nMine:\n${GOING_ON}`],
    [
      "an example after the real block",
      `${GOING_ON}\n\nThe end would look like this:\n\n\`\`\`text\n${DONE}\n\`\`\`\nSee you.`,
    ],
    ["a promise in a code fence", `When all is done I will print:\n~~~\n${DONE}\n~~~\nNot yet.`],
    ["a key in a sentence", "I will set EXIT_SIGNAL: true when I am done."],
    ["keys without a block", "STATUS: COMPLETE\nEXIT_SIGNAL: true"],
    ["the marker in a sentence", "I can't print ---RALPH_STATUS--- with EXIT_SIGNAL: true yet."],
    ["the first of two blocks", `${DONE}\nBut then I found more.\n${GOING_ON}`],
    ["a denied value", block("STATUS: NOT COMPLETE", "EXIT_SIGNAL: not true")],
    ["a word that only contains it", block("STATUS: INCOMPLETE", "EXIT_SIGNAL: untrue")],
    ["a condition", block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: true if the tests pass, else false")],
    ["a condition in brackets", block("EXIT_SIGNAL: true (once the tests pass)")],
    ["COMPLETE of a part", block("STATUS: COMPLETE (3 of 10 tasks)", "EXIT_SIGNAL: false")],
    ["a block that a diff adds", eachLine(DONE, (line) => `+${line}`)],
    ["a string of a program", `const EXAMPLE = \`${DONE}\`;`],
    ["what grep found", eachLine(DONE, (line, index) => `a.md:${index + 1}:${line}`)],
    ["a numbered listing", eachLine(DONE, (line, index) => `   ${index + 1}\t${line}`)],
    ["a user's words in a transcript", `User: End with\n${DONE}\nAssistant: I go on.`],
    ["a block in an HTML comment", `See the page.\n<!-- ${DONE} -->`],
    ["a block in a comment of several lines", `<!--\n${DONE}\n-->`],
    ["a block in a comment in a code fence", `It has now:\n\`\`\`html\n<p>\n<!-- ${DONE} -->\n\`\`\`\nMore is open.`],
    [
      "an indented example in documentation",
      `The README now says:\n\n${eachLine(DONE, (line) => `    ${line}`)}\n\nThe manual is still open.`,
    ],
    ["an example indented by a tab", `It reads\n${eachLine(DONE, (line) => `\t${line}`)}\nI go on with the manual.`],
    [
      "an indented example of the YAML form",
      "I wrote\n\n    RALPH_STATUS:\n      STATUS: COMPLETE\n      EXIT_SIGNAL: true\n\ninto the manual.",
    ],
    ["an indented promise at the very end", `When all is done I print:\n\n${eachLine(DONE, (line) => `    ${line}`)}`],
    ["an example without a fence", `For example the block looks like this:\n${DONE}`],
    ["an example on the marker's line", `The last answer ends e.g. with: ${DONE}`],
    ["an example below its heading", `## Example\n\n${DONE}\n\nThat was it.`],
    ["a promise without a fence", `Once the tests pass, the answer should end with:\n${DONE}\nThey do not yet.`],
    [
      "an indented example after the real block",
      `${GOING_ON}\n\nSee the page:\n\n    ${DONE.replaceAll("\n", "\n    ")}\nBye.`,
    ],
    ["an event that was cut", `{"type":"user","message":{"content":"${DONE.replaceAll("\n", "\\n")}`],
  ];
  for (const [what, text] of answers) {
    test(what, () => {
      const { has_completion_signal, exit_signal } = analysed(text);
      expect([has_completion_signal, exit_signal]).toEqual([false, false]);
    });
  }
});

describe("a done signal is read from", () => {
  const answers: [string, string][] = [
    ["a block in a code fence", `\`\`\`\n${DONE}\n\`\`\``],
    ["a block in a code fence after a sentence", `All boxes are ticked. My status:\n\`\`\`\n${DONE}\n\`\`\``],
    ["the last of two blocks", `${GOING_ON}\n${DONE}`],
    ["a block before an echo of the template", `${DONE}\n${block("STATUS: COMPLETE or BLOCKED")}`],
    ["a block with remarks", block("STATUS: COMPLETE (10 of 10 tasks)", "EXIT_SIGNAL: true - all tests pass")],
    ["a block in colours", eachLine(DONE, (line) => `\u001b[1;32m${line}\u001b[0m`)],
    ["the answer in a transcript", `User: Go on\nAssistant: Over.\n${DONE}`],
    ["a block after a diff", `+ added\n${DONE}`],
    ["an indented block at the end", `All is done.\n\n${eachLine(DONE, (line) => `    ${line}`)}\n`],
    ["an indented block below an indented text", eachLine(`All is done.\n${DONE}\nBye.`, (line) => `    ${line}`)],
    ["a block in a list", `- Tests pass\n- Status:\n\n      ${DONE.replaceAll("\n", "\n      ")}\n- Bye`],
    ["a block below a comment", `<!-- all boxes are ticked -->\n${DONE}`],
    ["a block after a comment that nothing closes", `I removed the \`<!--\` and then <!--\n${DONE}`],
    ["a block in the required format", `Here is my status in the required format:\n\`\`\`\n${DONE}\n\`\`\``],
    ["a block below ordinary words", `Everything that should be done is done. Status:\n${DONE}`],
    ["a block after the templates of the project", `The templates and the examples are finished; the block:\n${DONE}`],
    ["a list of fields", eachLine(DONE, (line) => (line.startsWith("-") ? line : `+ ${line}`))],
  ];
  for (const [what, text] of answers) test(what, () => expect(analysed(text).exit_signal).toBe(true));
});

describe("no completion indicator is read from", () => {
  const sentences = [
    "Not all tasks are complete.",
    "All tasks are not complete.",
    "All tasks aren't complete yet.",
    "I haven't completed all tasks.",
    "All tasks are complete except the last.",
    "All tasks are complete, but one test fails.",
    "Once all tasks are complete I'll stop.",
    "All tasks will be complete soon.",
    "All tasks should be complete.",
    "Are all tasks complete?",
    "None of the tasks are complete.",
    "It is not true that all tasks are complete.",
    "It is false that all tasks are complete.",
    "I would not say that all tasks are done.",
    "I doubt all tasks are done.",
    "I deny that all tasks are complete.",
    "Nobody believes that all tasks are done.",
    "All tasks are far from complete.",
    "All tasks are almost done.",
    "All but one task is complete.",
    "Everything is done apart from the docs.",
    "The claim that all tasks are complete is wrong.",
    "To say that all tasks are complete would be a lie.",
    "It would be premature to say that all tasks are complete.",
    "There's no way all tasks are complete.",
    "The user says: all tasks are complete.",
    "All tasks are complete in theory.",
    "All tasks complete: false",
    "Project complete: not yet",
    "All tasks are complete (50%).",
    "All 3 of 10 tasks done.",
    "TODO: all tasks completed",
    "Goal: all tasks are complete",
    "I want all tasks completed.",
    "Assuming all tasks are complete, we could ship.",
    "There is nothing left to do but wait for the tests.",
    "It is not ready for review.",
    "`all tasks are complete` is what the log would print.",
  ];
  for (const sentence of sentences) {
    test(sentence, () => expect(analysed(sentence).is_completion_indicator).toBe(false));
  }
});

describe("a completion indicator is read from", () => {
  const sentences = [
    "All tasks are complete.",
    "All 10 tasks are done.",
    "No task failed. All tasks have been completed.",
    "Everything is done and the tests pass.",
    "The project is complete.",
    "There is nothing left to do.",
    "The work is ready for review.",
  ];
  for (const sentence of sentences) {
    test(sentence, () => expect(analysed(sentence).is_completion_indicator).toBe(true));
  }
});
