import { expect, test } from "bun:test";
import { isCompoundAdvice } from "../../../src/core/answer/denial.ts";

/** Whether an allow-list entry covers a command: tested by a pipeline whose other part needs no permission. */
const covers = (entry: string, command: string) =>
  isCompoundAdvice({ tool: "Bash", command: `${command} | wc`, toolUseId: null }, [entry]);

test.each([
  ["Bash(npm test)", "npm test"],
  ["Bash(npm *)", "npm test"],
  ["Bash(npm *)", "npm"],
  ["Bash(npm:*)", "npm test"],
  [" Bash( npm test ) ", "npm test"],
  ["Bash(go * ./...)", "go vet ./..."],
  ["Bash(a*b*c*d)", "a1b2c3d"],
  ["Bash(a*b*c)", "abbc"],
  ["Bash(a*b*bc)", "abbc"],
  ["Bash(*.sh)", "run.sh"],
  ["Bash(*lint)", "npm run lint"],
])("the allow-list entry %s covers %s", (entry, command) => expect(covers(entry, command)).toBe(true));

test.each([
  ["Bash(npm test)", "npm test --all"],
  ["Bash(npm *)", "npmx test"],
  ["Bash(npm:*)", "npm:test"],
  ["Bash(npm test", "npm test"],
  ["npm test)", "npm test"],
  ["Bash(a*b*c*d)", "a1c2b3d"],
  ["Bash(a*b*c)", "ac"],
  ["Bash(a*bb*bc)", "abbc"],
  ["Bash(ab*bc)", "abc"],
  ["Bash(*.sh)", "run.sh now"],
  ["Bash(go * ./...)", "cargo vet ./..."],
  ["Write", "npm test"],
  ["Read(npm test)", "npm test"],
  ["Bash(npm testx", "npm test"],
])("the allow-list entry %s does not cover %s", (entry, command) => expect(covers(entry, command)).toBe(false));
