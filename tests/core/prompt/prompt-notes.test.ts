import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { GateRecord } from "../../../src/core/decide/gate-rules.ts";
import { noReview, SEVERITIES } from "../../../src/core/decide/review-state.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { composePrompt, NOTES_MAX_CHARS, noteBlock } from "../../../src/core/prompt/compose-prompt.ts";
import { composeNotes } from "../../../src/core/prompt/prompt-notes.ts";
import { seed } from "../../seed.ts";
import { evidenceOf, recordOf, settingsOf, stateOf } from "../given.ts";

const plan = parsePlan("- [x] zero\n- [ ] one\n- [ ] two\n## Optional\n- [ ] three\n", ["Optional"]);
const claim = recordOf({ has_completion_signal: true, exit_signal: true });
const red: GateRecord = { command: "npm test", ok: false, exit_code: 1, timed_out: false, tail: "1 of 3 failed\n" };
const green: GateRecord = { ...red, ok: true, exit_code: 0 };
const cut = { outcome: "timed_out", exit_code: null, ok: false, error: null, ms: 1 } as const;
const idle = recordOf({}, { outcome: "failed", evidence: evidenceOf({ progress: false }) });

describe("the notes to the agent", () => {
  const evidence = { DONE_POLICY: "evidence" } as const;
  const block = { QUALITY_GATE_MODE: "block" } as const;
  test.each<[string, Partial<State>, Parameters<typeof settingsOf>[0], string[]]>([
    ["nothing before its first answer", {}, evidence, []],
    ["nothing after an answer that claims nothing", { last: recordOf() }, evidence, []],
    ["nothing about a claim under the policy that believes it", { last: claim }, {}, []],
    ["the open boxes that contradict its claim", { last: claim }, evidence, ["2 boxes", "line 2: one", "line 3: two"]],
    ["red gates with the end of their output", { last: recordOf(), gates: [red, green] }, {}, ["    1 of 3 failed"]],
    ["red gates that reject its claim", { last: claim, gates: [red] }, block, ["not accepted", "`npm test`"]],
    [
      "its own report of failing tests",
      { last: { ...claim, analysis: { ...claim.analysis, tests_status: "FAILING" } } },
      evidence,
      ["tests fail"],
    ],
    [
      "that a third claim ends the run",
      { last: claim, held: { disputed: 2, gated: 0 } },
      evidence,
      ["for a person to look"],
    ],
    [
      "the advice to run the parts of a compound command one by one",
      { last: recordOf({ has_compound_command_limitation: true, denied_commands: ["Bash(a && b)"] }) },
      {},
      ["Bash(a && b)", "of its own"],
    ],
    [
      "the advice to write sooner after a timeout without a write",
      { last: idle, last_call: cut },
      {},
      ["Begin to write sooner"],
    ],
    [
      "nothing about a timeout that left work",
      { last: recordOf({}, { outcome: "timed_out" }), last_call: cut },
      {},
      [],
    ],
  ])("mention %s", (_name, about, settings, expected) => {
    const notes = composeNotes(stateOf(about), settingsOf(settings), plan).join("\n\n");
    if (expected.length === 0) expect(notes).toBe("");
    for (const text of expected) expect(notes).toContain(text);
    expect(notes).not.toContain("three");
  });

  test("contain a review's findings, marked if grave", () => {
    const details = [{ severity: "HIGH" as const, file: "a.ts", line: 3, issue: "leaks", suggestion: "close it" }];
    const findings = { severity: "HIGH" as const, issues_found: 1, summary: "A leak.", details };
    const notes = composeNotes(stateOf({ review: { ...noReview(), findings } }), settingsOf(), null);
    expect(notes).toEqual([
      "A review of your work found grave faults (HIGH). Fix them before anything else.\nA leak.\n- a.ts:3: leaks (close it)",
    ]);
    const none = { ...findings, issues_found: 0 };
    expect(composeNotes(stateOf({ review: { ...noReview(), findings: none } }), settingsOf(), null)).toEqual([]);
  });
});

test("the notes to the agent contain the end of a long output", () => {
  const tail = Array.from({ length: 500 }, (_, n) => `line ${n}`).join("\n");
  const [note = ""] = composeNotes(stateOf({ last: recordOf(), gates: [{ ...red, tail }] }), settingsOf(), null);
  expect(note).toEndWith("    line 499");
  expect(note).not.toContain("line 0\n");
});

test("the notes to the agent give each note its room, and the user's messages the most", () => {
  const long = (letter: string) => `${letter.repeat(79)}\n`.repeat(100);
  const details = Array(9).fill({ severity: "LOW", file: "f", line: 1, issue: long("i"), suggestion: null });
  const state = stateOf({
    last: claim,
    gates: [{ ...red, tail: long("g") }],
    review: { ...noReview(), findings: { severity: "LOW", issues_found: 9, summary: long("s"), details } },
    said: [{ at: "", text: long("u"), used_in: null }],
  });
  const boxes = parsePlan(
    Array(20)
      .fill(`- [ ] ${"b".repeat(200)}`)
      .join("\n"),
    [],
  );
  const notes = composeNotes(state, settingsOf({ DONE_POLICY: "evidence" }), boxes);
  expect(notes.map((note) => /^.{0,28}/.exec(note)?.[0])).toEqual([
    "The user of ralph says:",
    "Your last answer said that t",
    "Checks that ran after your l",
    "A review of your work found ",
  ]);
  expect(notes[2]).toContain("    ggggg");
  expect(notes.join("\n\n").length).toBeLessThanOrEqual(NOTES_MAX_CHARS);
});

test("the notes to the agent always fit into the prompt's own limit", () => {
  const words = fc.string({ maxLength: 3000, unit: "binary" });
  const gate = fc.record({
    command: words,
    ok: fc.boolean(),
    exit_code: fc.nat(),
    timed_out: fc.boolean(),
    tail: words,
  });
  const findings = fc.record({
    severity: fc.constantFrom(...SEVERITIES),
    issues_found: fc.nat(),
    summary: words,
    details: fc.array(
      fc.record({
        severity: fc.constantFrom(...SEVERITIES),
        file: fc.option(words),
        line: fc.option(fc.nat()),
        issue: words,
        suggestion: fc.option(words),
      }),
      { maxLength: 8 },
    ),
  });
  fc.assert(
    fc.property(
      fc.array(gate, { maxLength: 30 }),
      findings,
      fc.array(words, { maxLength: 20 }),
      words,
      words,
      (gates, found, tasks, denied, wish) => {
        const last = recordOf(
          { ...claim.analysis, has_compound_command_limitation: true, denied_commands: [denied] },
          { evidence: evidenceOf({ progress: false }) },
        );
        const state = stateOf({
          last,
          last_call: cut,
          gates,
          review: { ...noReview(), findings: found },
          said: [{ at: "", text: wish, used_in: null }],
        });
        const boxes = parsePlan(tasks.map((task) => `- [ ] ${task.replace(/\s/g, " ")}`).join("\n"), []);
        const notes = composeNotes(state, settingsOf({ DONE_POLICY: "evidence" }), boxes);
        expect(notes.join("\n\n").length).toBeLessThanOrEqual(NOTES_MAX_CHARS);
        expect(composePrompt("p", null, noteBlock(notes))).toContain(notes.join("\n\n"));
      },
    ),
    { seed, numRuns: 60 },
  );
});
