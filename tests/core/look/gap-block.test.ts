import { describe, expect, test } from "bun:test";
import { readGap } from "../../../src/core/look/gap-block.ts";

const block = (...lines: string[]) => ["---RALPH_GAP---", ...lines, "---END_RALPH_GAP---"].join("\n");
const GAP = { command: "node add.js 2 2", why: "It adds one." };

describe("the answer to a look", () => {
  test.each<[string, string]>([
    ["as asked", block("COMMAND: node add.js 2 2", "WHY: It adds one.")],
    ["behind other words", `I read it all.\n\n${block("COMMAND: node add.js 2 2", "WHY: It adds one.")}\n`],
    ["with Windows line ends", block("COMMAND: node add.js 2 2", "WHY: It adds one.").replaceAll("\n", "\r\n")],
    ["in a code fence", block("```", "COMMAND: node add.js 2 2", "WHY: It adds one.", "```")],
    ["in backticks", block("COMMAND: `node add.js 2 2`", "WHY: It adds one.")],
    ["in bold type and as a list", block("- **COMMAND:** node add.js 2 2", "- **WHY**: It adds one.")],
    ["on the next line", block("COMMAND:", "```sh", "node add.js 2 2", "```", "WHY: It adds", "one.")],
    ["without an end", "---RALPH_GAP---\nCOMMAND: node add.js 2 2\nWHY: It adds one."],
    ["the other way round", block("WHY: It adds one.", "COMMAND: node add.js 2 2")],
    ["in the last of two blocks", `${block("NONE")}\n${block("COMMAND: node add.js 2 2", "WHY: It adds one.")}`],
  ])("names a gap %s", (_name, answer) => {
    expect(readGap(answer)).toEqual(GAP);
  });

  test.each([
    ["as asked", block("NONE")],
    ["in lower case, with a full stop", block("none.")],
    ["as a command", block("COMMAND: none", "WHY: everything is there")],
    ["behind a name", block("GAP: NONE")],
    ["in the last of two blocks", `${block("COMMAND: x", "WHY: y")}\n${block("NONE")}`],
  ])("names none %s", (_name, answer) => {
    expect(readGap(answer)).toBe("none");
  });

  test.each([
    ["without a block", "Everything is fine, there is no gap. NONE"],
    ["with an empty block", block("")],
    ["with a block without a command", block("WHY: It adds one.")],
    ["with a command of several lines", block("COMMAND: cd src", "node add.js", "WHY: It adds one.")],
    ["with a command that is too long", block(`COMMAND: ${"x".repeat(1001)}`, "WHY: long")],
    ["with a placeholder", block("COMMAND: <one line for the shell>", "WHY: <why>")],
  ])("%s cannot be used", (_name, answer) => {
    expect(readGap(answer)).toBeNull();
  });

  test("without a reason still names the gap, and a long reason is cut", () => {
    expect(readGap(block("COMMAND: false"))).toEqual({ command: "false", why: "" });
    const read = readGap(block("COMMAND: false", `WHY: ${"because ".repeat(200)}`));
    expect(read).toMatchObject({ command: "false" });
    expect((read as { why: string }).why.length).toBeLessThanOrEqual(400);
  });
});
