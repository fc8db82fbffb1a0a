import { expect, test } from "bun:test";
import { readGap } from "../../../src/core/look/gap-block.ts";
import { gapNote } from "../../../src/core/prompt/gap-note.ts";
import { lookPrompt } from "../../../src/core/prompt/look-prompt.ts";
import { singleLine } from "../../../src/core/text/plain-text.ts";

test("the prompt of a look names the task or the files, and the shell", () => {
  expect(lookPrompt({ task: "Fix the sum.\n", files: [] }, "sh")).toContain("## What was asked\n\nFix the sum.\n\n##");
  const prompt = lookPrompt({ task: null, files: [".ralph/PROMPT.md", ".ralph/specs"] }, "cmd.exe");
  expect(prompt).toContain("- `.ralph/PROMPT.md`\n- `.ralph/specs`\n");
  expect(singleLine(prompt)).toContain("a command for cmd.exe, on one line");
});

test("the end of the prompt, given as an answer, says that there is no gap", () => {
  expect(readGap(lookPrompt({ task: "x", files: [] }, "sh"))).toBe("none");
});

const gate = {
  command: "sh add.sh 2 3",
  ok: false,
  exit_code: 1,
  timed_out: false,
  tail: "is 4\nnot 5\n",
  gap: "It is 4.",
};

test("the note on a gap has its reason, its command and the end of its output", () => {
  const { gap: _, ...plain } = { ...gate, command: "npm test" };
  expect(gapNote([gate, plain], 1200)).toMatchInlineSnapshot(`
    "Somebody who had not seen the project before looked at the result and found that something is missing:
    - It is 4.
      \`sh add.sh 2 3\` failed with exit code 1. The end of its output: is 4 not 5
    Mend the work itself. The command is run again each time you say done, and must end with exit code 0."
  `);
});

test("there is no note on gaps that are closed, or on gates that nobody named", () => {
  const { gap: _, ...plain } = gate;
  expect(gapNote([], 1200)).toBe("");
  expect(gapNote([plain, { ...gate, ok: true }], 1200)).toBe("");
});

test.each([1, 2, 5])("the note on %d gaps with long outputs keeps each command and its limit", (count) => {
  const many = Array.from({ length: count }, (_, n) => ({ ...gate, command: `check-${n}`, tail: "x".repeat(5000) }));
  const note = gapNote(many, 1200);
  expect(note.length).toBeLessThanOrEqual(1200);
  for (const { command } of many) expect(note).toContain(`\`${command}\` failed with exit code 1.`);
  expect(note).toEndWith("must end with exit code 0.");
});
