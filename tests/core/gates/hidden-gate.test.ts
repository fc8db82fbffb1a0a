import { expect, test } from "bun:test";
import { hiddenGateFile, requirementIn } from "../../../src/core/gates/hidden-gate.ts";

test.each([
  ["sh ../checks/a.sh", "../checks/a.sh"],
  ["../checks/a.sh --fast x/y", "../checks/a.sh"],
  ["MODE=x node --test-only '/home/me/my checks/a.mjs' src", "/home/me/my checks/a.mjs"],
  ["python3.12 -X dev ~/a.py", "~/a.py"],
  ["sh check", "check"],
  ["deno run -A /x/a.ts", "/x/a.ts"],
  ["python3 -c 'import x'", null],
  ["sh -ec 'exit 1'", null],
  ["npm run check", null],
  ["", null],
  ["sh 'unclosed", null],
])("the file that the hidden gate %p runs is %p", (command, file) => {
  expect(hiddenGateFile(command)).toBe(file);
});

test.each([
  ["#!/bin/sh\n# requirement: prices have two decimals\n", "prices have two decimals"],
  ["// Requirement:  No prices below zero.  \n", "No prices below zero."],
  ["/* requirement: none is free */\n", "none is free"],
  ["<!-- requirement: valid -->", "valid"],
  ["# requirement:\n", null],
  ["echo hello\n", null],
  [`${"\n".repeat(20)}# requirement: too late\n`, null],
])("the requirement of %j is %p", (text, requirement) => {
  expect(requirementIn(text)).toBe(requirement);
});
