import { expect, test } from "bun:test";
import { redactPrompt } from "../../../src/core/journal/redact-argv.ts";

const long = "Do the next task of the plan, and then say how far you are.\n";

test.each<[string, { argv: string[]; stdin?: string }, string, string[]]>([
  ["sent on stdin changes no argument", { argv: ["a", "-p", "json"], stdin: "json" }, "json", ["a", "-p", "json"]],
  ["is redacted as an argument of its own", { argv: ["a", long.trim()] }, long, ["a", "<prompt>"]],
  ["is redacted as an argument with its line end", { argv: ["a", long] }, long, ["a", "<prompt>"]],
  [
    "is redacted inside an argument",
    { argv: ["a", `--prompt=Context\n\n${long}`] },
    long,
    ["a", "--prompt=Context\n\n<prompt>\n"],
  ],
  [
    "is redacted as a whole argument only, if it is short",
    { argv: ["a", "stream-json", "json"] },
    "json\n",
    ["a", "stream-json", "<prompt>"],
  ],
  ["leaves an empty argument alone, if it is empty", { argv: ["a", ""] }, "", ["a", ""]],
])("a prompt %s", (_, command, prompt, expected) => {
  expect(redactPrompt(command, prompt)).toEqual(expected);
});
