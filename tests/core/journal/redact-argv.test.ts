import { expect, test } from "bun:test";
import { redactPrompt } from "../../../src/core/journal/redact-argv.ts";

const long = "Do the next task of the plan, and then say how far you are.\n";

test.each<[string, { argv: string[]; stdin?: string }, string, string[]]>([
  ["goes by stdin", { argv: ["a", "-p", "json"], stdin: "json" }, "json", ["a", "-p", "json"]],
  ["is a word", { argv: ["a", long.trim()] }, long, ["a", "<prompt>"]],
  ["is a word with its line end", { argv: ["a", long] }, long, ["a", "<prompt>"]],
  [
    "is a part of a word",
    { argv: ["a", `--prompt=Context\n\n${long}`] },
    long,
    ["a", "--prompt=Context\n\n<prompt>\n"],
  ],
  ["is short", { argv: ["a", "stream-json", "json"] }, "json\n", ["a", "stream-json", "<prompt>"]],
  ["is nothing", { argv: ["a", ""] }, "", ["a", ""]],
])("a prompt that %s does not reach the journal", (_, command, prompt, expected) => {
  expect(redactPrompt(command, prompt)).toEqual(expected);
});
