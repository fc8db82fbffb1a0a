import { expect, test } from "bun:test";
import { isToolPattern, splitTools } from "../../../src/core/settings/tool-list.ts";

test.each([
  ["Write, Read ,Edit", ["Write", "Read", "Edit"]],
  ["Bash(git add, commit),Read", ["Bash(git add, commit)", "Read"]],
  ["Bash(echo (a, b)),Read", ["Bash(echo (a, b))", "Read"]],
  ["Read,,Write,", ["Read", "Write"]],
  ["Bash(a", ["Bash(a"]],
  ["a),b", ["a)", "b"]],
  [" , ", []],
])("the tool list %p is split into %p", (list, tools) => expect(splitTools(list)).toEqual(tools));

test.each(["Read", "Bash(git *)", "mcp__server__*", "Edit(src/**)", "shell(git:*)", "Bash(echo (a))", "Лес"])(
  "the word %p can name a tool",
  (tool) => expect(isToolPattern(tool)).toBe(true),
);

test.each(["", "-n", "--help", "Bash(git *", "Bash(x)y", "Read)", "(x)", "Bash(\n)", "Read\u0000"])(
  "the word %p names no tool",
  (tool) => expect(isToolPattern(tool)).toBe(false),
);
