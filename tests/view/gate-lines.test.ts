import { describe, expect, test } from "bun:test";
import type { GateReport } from "../../src/core/report/gate-report.ts";
import { gateLines } from "../../src/view/gate-lines.ts";
import { style } from "../../src/view/text/style.ts";

const report = (about: Partial<GateReport> = {}): GateReport => ({
  gates: [],
  hidden: { gates: 0, output: null },
  frozen: null,
  changed: null,
  weakened: null,
  found: null,
  ...about,
});
const lines = (about: Partial<GateReport>, width = 200) =>
  gateLines(report(about), { style: style(false), width }).join("\n");
const gate = { command: "npm test", ok: true, iteration: 3, weakened: false, tests: null, flakes: 0 };

describe("ralph gates", () => {
  test("says without gates that done rests on the agent's word, and what to do", () => {
    expect(lines({ found: "npm test" })).toContain('To have one: ralph gates adopt "npm test"');
    expect(lines({})).toContain("To have one: ralph gates adopt COMMAND");
  });

  test.each([
    ["a green gate", gate, "✓ npm test  iteration 3"],
    ["a red one", { ...gate, ok: false, flakes: 2 }, "✗ npm test  iteration 3 · 2 flakes"],
    ["one that got weaker", { ...gate, weakened: true }, "! npm test"],
    ["one that did not run", { ...gate, ok: null, iteration: null }, "· npm test  has not run yet"],
    [
      "its tests",
      { ...gate, tests: { passed: 9, failed: 0, skipped: 2 } },
      "✓ npm test  iteration 3 · 9 tests passed · 2 skipped",
    ],
  ])("shows %s", (_name, one, expected) => {
    expect(lines({ gates: [one] })).toContain(expected);
  });

  test("shows what is frozen, what changed, and what to do about weaker ones, within the width", () => {
    const weakened = {
      commands: ["npm test"],
      evidence: "words" as const,
      reasons: [{ path: "tests/a.js", line: 4, what: "a test is skipped" }],
      diff: "tests/a.js\n  + test.skip(\u001b[31m",
      iteration: 2,
    };
    const frozen = { run: "0001", digest: "d", files: 12 };
    const changed = Array.from({ length: 12 }, (_, n) => `tests/${n}.js`);
    const text = lines({ gates: [gate], frozen, changed, weakened, hidden: { gates: 1, output: "/out" } }, 60);
    expect(text).toContain("12 files of the gates frozen by run 0001");
    expect(text).toContain("and 2 more");
    expect(text).toContain("tests/a.js:4: a test is skipped");
    expect(text).toContain("ralph gates accept");
    expect(text).toContain("1 hidden gate");
    expect(text).not.toContain("\u001b");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test("says of files that came after a run that found none that they are new", () => {
    const text = lines({ gates: [gate], frozen: { run: "0001", digest: "d", files: 0 }, changed: ["tests/a.js"] });
    expect(text).toContain("run 0001 found no files of the gates to freeze\n  new since: tests/a.js");
  });
});
