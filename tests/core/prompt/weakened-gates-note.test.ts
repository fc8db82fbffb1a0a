import { expect, test } from "bun:test";
import { untestedGates } from "../../../src/core/gates/gate-trust.ts";
import { weakenedGatesNote } from "../../../src/core/prompt/weakened-gates-note.ts";
import { stateOf } from "../given.ts";

const reasons = Array.from({ length: 7 }, (_, n) => ({ path: `tests/${n}.js`, line: n, what: "a test is skipped" }));
const weakened = {
  commands: ["npm test"],
  evidence: "frozen_gate_is_red" as const,
  reasons,
  diff: "tests/0.js\n  - test(",
  iteration: 3,
};
const red = { command: "npm test", ok: false, weakened: true as const, exit_code: 0, timed_out: false, tail: "" };

test("the agent is told which gates got weaker, and what to do instead", () => {
  const note = weakenedGatesNote(stateOf({ gates: [red], gate_trust: { ...untestedGates(), weakened, claims: 1 } }));
  expect(note).toStartWith(
    "`npm test` is green now, but this gate (a command that must pass) demands less than when this work began: with its files as",
  );
  expect(note).not.toContain("check");
  expect(note).toContain("- tests/4.js:4: a test is skipped\n- and 2 more\n    tests/0.js\n      - test(");
  expect(note).toContain("Put its files back as they were");
});

test("it is told once, after the answer that was judged", () => {
  expect(weakenedGatesNote(stateOf({ gate_trust: { ...untestedGates(), weakened, claims: 1 } }))).toBe("");
  expect(weakenedGatesNote(stateOf())).toBe("");
});
