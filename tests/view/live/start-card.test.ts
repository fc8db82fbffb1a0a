import { expect, test } from "bun:test";
import { defaultSettings } from "../../../src/core/settings/settings.ts";
import { type StartCard, startCard } from "../../../src/view/live/start-card.ts";
import { style } from "../../../src/view/text/style.ts";

const card: StartCard = {
  task: "Mend the tests",
  agent: "Claude Code",
  branch: "main",
  isGitRepository: true,
  uncommitted: false,
  gates: ["npm test"],
  settings: defaultSettings(),
};
const shown = (more: Partial<StartCard> = {}) => startCard({ ...card, ...more }, { style: style(false), width: 80 });

test("the start card describes the run in seven lines", () => {
  expect(shown().join("\n")).toMatchInlineSnapshot(`
    "  task     Mend the tests
      agent    Claude Code
      branch   main
      gates    npm test
      bounds   100 calls an hour, else none (--max-iterations, --max-cost)
      touches  this folder and its git history; the agent runs commands unasked
      stop     Ctrl+C after this iteration, twice at once; elsewhere: ralph stop"
  `);
});

test.each([
  [{ MAX_ITERATIONS: 1, MAX_TIME: 480 }, "1 iteration, 8 h, 100 calls an hour"],
  [{ MAX_ITERATIONS: 2, MAX_TIME: 1.5 }, "2 iterations, 1 min 30 s, 100 calls an hour"],
  [{ MAX_CALLS_PER_HOUR: 1, MAX_TOKENS: 1 }, "1 token, 1 call an hour"],
  [{ MAX_TOKENS: 5000, STOP_AT: "18:30" }, "5.0k tokens, until 18:30, 100 calls an hour"],
])("the start card shows the bounds of %j in words", (bounds, said) => {
  expect(shown({ settings: { ...defaultSettings(), ...bounds } })[4]).toBe(`  bounds   ${said}`);
});

test("the start card names a missing repository and missing gates", () => {
  const settings = {
    ...defaultSettings(),
    MAX_ITERATIONS: 5,
    MAX_COST_USD: 2,
    CLAUDE_PERMISSION_MODE: "plan" as const,
  };
  expect(shown({ branch: null, isGitRepository: false, gates: [], settings }).join("\n")).toMatchInlineSnapshot(`
    "  task     Mend the tests
      agent    Claude Code
      branch   no git repository: only ralph undo gives files back
      gates    none: done is what the agent says
      bounds   5 iterations, $2.00, 100 calls an hour
      touches  this folder, as far as the agent's mode plan allows
      stop     Ctrl+C after this iteration, twice at once; elsewhere: ralph stop"
  `);
});

test("the start card warns that nothing gives files back without a repository and checkpoints", () => {
  const card = { branch: null, isGitRepository: false, settings: { ...defaultSettings(), CHECKPOINTS: false } };
  expect(shown(card)[2]).toBe("  branch   no git repository: nothing gives files back");
});

test("the start card fits the terminal with any branch name", () => {
  const lines = shown({ branch: "x".repeat(200), gates: ["\u001b[31my\n".repeat(50)] });
  expect(lines).toHaveLength(7);
  expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(80);
});

test("the start card shows uncommitted changes beside the branch", () => {
  expect(shown({ uncommitted: true })[2]).toBe("  branch   main, with changes that are not committed");
});
