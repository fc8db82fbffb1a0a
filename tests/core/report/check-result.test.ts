import { expect, test } from "bun:test";
import { failed, passed, summarize, warned } from "../../../src/core/report/check-result.ts";
import { checkLines, labelWidth } from "../../../src/view/checks.ts";
import { style } from "../../../src/view/text/style.ts";

const results = [
  passed("driver", "codex"),
  failed("agent", "None.\nInstall one:", "a\nb"),
  warned("git", "No repository.", "git init"),
];

test("checks are counted by whether they block a run", () => {
  expect(summarize(results)).toEqual({ passed: 1, failed: 1, warned: 1 });
});

test("checks are lines with their fixes below", () => {
  const options = { style: style(false), width: 40, labels: labelWidth(results) };
  expect(results.flatMap((result) => checkLines(result, options))).toEqual([
    "✓ driver codex",
    "✗ agent  None.",
    "         Install one:",
    "         a",
    "         b",
    "! git    No repository.",
    "         git init",
  ]);
});

test("what passed is told whole, too", () => {
  const told = passed("ready", "as far as can be told without a call; ralph drivers test makes one");
  expect(checkLines(told, { style: style(false), width: 50, labels: 5 })).toEqual([
    "✓ ready as far as can be told without a call;",
    "        ralph drivers test makes one",
  ]);
});

test("a fix in words is folded between them, and a command stays whole", () => {
  const sentence = "Set IS_SANDBOX=1 in a container, or run with --permission-mode acceptEdits.";
  const command = "ralph run --permission-mode acceptEdits";
  const problem = failed("ready", "Refused.", `${sentence}\n${command}`);
  expect(checkLines(problem, { style: style(false), width: 40, labels: 5 })).toEqual([
    "✗ ready Refused.",
    "        Set IS_SANDBOX=1 in a container,",
    "        or run with --permission-mode",
    "        acceptEdits.",
    `        ${command}`,
  ]);
});
