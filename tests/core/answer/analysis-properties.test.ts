import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyse } from "../../../src/core/answer/analysis.ts";
import type { Analysis } from "../../../src/core/answer/analysis-types.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import { classifyError, limitFromError } from "../../../src/core/answer/error-patterns.ts";
import { explain } from "../../../src/core/answer/explain-analysis.ts";
import { readStatus } from "../../../src/core/answer/status-block.ts";
import { seed } from "../../seed.ts";

/** Pieces with a meaning for the analysis, mixed in any order with other text. */
const pieces = fc.constantFrom(
  "---RALPH_STATUS---",
  "---END_RALPH_STATUS---",
  "RALPH_STATUS:",
  "STATUS: COMPLETE",
  "EXIT_SIGNAL: true",
  "EXIT_SIGNAL: false | true",
  "**",
  "> ",
  "```",
  "\n",
  "\r\n",
  "\\n",
  "All tasks are complete.",
  "Should I go on?",
  "Error: x",
  '"',
  "`",
  "resets 9:42pm (Mars/Base)",
  "usage limit reached|99999999999999",
);
const anyText = fc
  .array(fc.oneof(pieces, pieces, fc.string({ unit: "binary", maxLength: 20 })), { maxLength: 60 })
  .map((parts) => parts.join(""));

function analysed(text: string): Analysis {
  return analyse(outputOf(text), null, { allowedTools: ["Bash(npm *)"], now: 0 });
}

function outputOf(text: string) {
  const events = [
    { type: "denied", tool: "Bash", command: text, tool_use_id: null },
    { type: "tool_result", tool_use_id: "t", content: text, is_error: true },
    { type: "error", message: text, class: "limit" },
    { type: "finished", ok: false, text, fields: { status: text }, duration_ms: null, cost_usd: null },
  ] as const;
  return events.reduce(collectEvent, emptyCollectedOutput());
}

describe("the analysis", () => {
  test("never throws, and its verdicts agree with each other", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const analysis = analysed(text);
        if (analysis.exit_signal) expect(analysis.has_completion_signal && analysis.exit_signal_explicit).toBe(true);
        if (analysis.has_completion_signal) expect(analysis.is_completion_indicator).toBe(true);
        expect(analysis.asking_questions).toBe(analysis.question_count > 0);
        expect(explain(analysis, outputOf(text)).length).toBeGreaterThan(1);
      }),
      { seed, numRuns: 300 },
    );
  });

  test("is independent of how the agent's lines are grouped into events", () => {
    fc.assert(
      fc.property(anyText, fc.infiniteStream(fc.boolean()), (text, cuts) => {
        const blocks: string[] = [];
        for (const line of text.split("\n")) {
          const last = blocks.pop();
          if (last !== undefined && last !== "" && !cuts.next().value) blocks.push(`${last}\n${line}`);
          else blocks.push(...(last === undefined ? [] : [last]), line);
        }
        fc.pre(blocks.every((one) => one !== ""));
        const whole = collectEvent(emptyCollectedOutput(), { type: "text", text });
        const cut = blocks
          .map((one) => ({ type: "text", text: one }) as const)
          .reduce(collectEvent, emptyCollectedOutput());
        const options = { allowedTools: [] };
        const { output_length: _, ...expected } = analyse(whole, null, options);
        expect(analyse(cut, null, options)).toMatchObject(expected);
      }),
      { seed, numRuns: 200 },
    );
  });

  test("finds the same block with any line ends", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = text.replaceAll("\r", "").replaceAll("\\", "");
        expect(readStatus(lines.replaceAll("\n", "\r\n"))).toEqual(readStatus(lines));
      }),
      { seed, numRuns: 300 },
    );
  });
});

/**
 * Counts the characters that regular expressions move over: every matching method calls `exec`. Each pattern's work per
 * character is bounded, which makes the sum a measure of linearity.
 */
function stepsOf(action: () => void): number {
  const original = RegExp.prototype.exec;
  let steps = 0;
  RegExp.prototype.exec = function (text: string) {
    const start = this.global || this.sticky ? this.lastIndex : 0;
    const match = original.call(this, text);
    const end = match === null ? (this.sticky ? start : String(text).length) : match.index + match[0].length;
    steps += end - start + 1;
    return match;
  };
  try {
    action();
  } finally {
    RegExp.prototype.exec = original;
  }
  return steps;
}

describe("the analysis takes linear time", () => {
  const hostile: [string, string][] = [
    ["dashes", "-"],
    ["start markers", "---RALPH_STATUS---\n"],
    ["start markers on one line", "---RALPH_STATUS---"],
    ["end markers", "---END_RALPH_STATUS---\n"],
    ["fields", "STATUS: COMPLETE\n"],
    ["underscores", "_"],
    ["blanks", " "],
    ["quotes", '"'],
    ["backticks", "`"],
    ["words of a phrase", "all the "],
    ["question marks", "?"],
    ["half of an error", '"error '],
    ["line ends", "\n"],
    ["carriage returns", "\r"],
    ["sentences", "Done. "],
  ];
  const SIZE = 20_000;
  for (const [what, unit] of hostile) {
    test(`for an answer of ${what}`, () => {
      const of = (size: number) => stepsOf(() => void analysed(unit.repeat(size / unit.length)));
      const [half, whole] = [of(SIZE), of(2 * SIZE)];
      expect(half).toBeGreaterThan(0);
      expect(whole).toBeLessThan(2.5 * half + 50_000);
    });
  }

  test("for questions on one line", () => {
    const of = (count: number) => stepsOf(() => void analysed("Should I use `x`? ".repeat(count)));
    expect(of(100)).toBeLessThan(2.5 * of(50));
  });

  test("for long error texts", () => {
    for (const unit of ["rate limit ", "try again in ", "1", "resets ", "(", "usage limit reached|"]) {
      const text = unit.repeat(20_000);
      const steps = stepsOf(() => {
        limitFromError(text, 0);
        classifyError(text);
      });
      // Only the end of a long error text is read.
      expect(steps).toBeLessThan(3_000_000);
    }
  });
});
