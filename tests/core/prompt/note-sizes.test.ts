import { describe, expect, test } from "bun:test";
import type { GateRecord } from "../../../src/core/decide/gate-rules.ts";
import { noReview } from "../../../src/core/decide/review-state.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { composePrompt, NOTES_MAX_CHARS, noteBlock } from "../../../src/core/prompt/compose-prompt.ts";
import { composeNotes } from "../../../src/core/prompt/prompt-notes.ts";
import { recordOf, settingsOf, stateOf } from "../given.ts";

const claim = recordOf({ has_completion_signal: true });
const evidence = settingsOf({ DONE_POLICY: "evidence" });
const red = (tail: string): GateRecord => ({ command: "t", ok: false, exit_code: 1, timed_out: false, tail });
const gateNote = (tail: string) =>
  composeNotes(stateOf({ last: recordOf(), gates: [red(tail)] }), settingsOf(), null)[0] ?? "";

describe("the note about a rejected claim", () => {
  test("names eight open boxes, and counts the others", () => {
    const plan = parsePlan(Array.from({ length: 11 }, (_, n) => `- [ ] box ${n}`).join("\n"), []);
    const note = composeNotes(stateOf({ last: claim }), evidence, plan)[0] ?? "";
    expect(note).toContain("line 8: box 7");
    expect(note).not.toContain("box 8");
    expect(note).toContain("- and 3 more");
  });

  test("mentions only the gates in a project without a plan", () => {
    const [note] = composeNotes(stateOf({ last: claim, gates: [red("")] }), evidence, null);
    expect(note).toContain("not accepted");
  });
});

describe("the note about a red gate", () => {
  test("has the last whole lines of its output, at most 1,500 characters", () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n} ${"x".repeat(20)}`);
    const note = gateNote(lines.join("\n"));
    expect(note.length).toBeGreaterThan(1000);
    expect(note.length).toBeLessThanOrEqual(1500);
    expect(note).toEndWith(`    ${lines.at(-1)}`);
    expect(note).not.toContain("line 0 ");
  });

  test("has the end of an output of one long line", () => {
    const note = gateNote(`begin${"x".repeat(5000)}the end`);
    expect(note).toEndWith("the end");
    expect(note).not.toContain("begin");
    expect(note.length).toBeGreaterThan(1000);
  });
});

test("the note about refused compound commands names three", () => {
  const denied_commands = ["a1", "a2", "a3", "a4"];
  const last = recordOf({ has_compound_command_limitation: true, denied_commands });
  const [note] = composeNotes(stateOf({ last }), settingsOf(), null);
  expect(note).toContain("a1, a2, a3.");
  expect(note).not.toContain("a4");
});

describe("the notes of a prompt", () => {
  const notesOf = (text: string) =>
    composePrompt("p", null, noteBlock([text])).split("## Notes from ralph\n\n")[1] ?? "";

  test("stay whole up to their limit", () => {
    const text = "x".repeat(NOTES_MAX_CHARS);
    expect(notesOf(text)).toBe(`${text}\n`);
  });

  test("are cut beyond it, with a mark, between characters", () => {
    expect(notesOf("x".repeat(NOTES_MAX_CHARS + 1))).toBe(`${"x".repeat(NOTES_MAX_CHARS - 1)}…\n`);
    expect(notesOf(`${"x".repeat(NOTES_MAX_CHARS - 2)}😀😀`)).toBe(`${"x".repeat(NOTES_MAX_CHARS - 2)}…\n`);
  });

  test("leave out empty ones, and are absent if all are empty", () => {
    expect(composePrompt("p", null, noteBlock(["", "a", "  \n", "b"]))).toEndWith("\n\na\n\nb\n");
    expect(composePrompt("p", null, noteBlock(["", " "]))).toBe("p");
  });
});

test("the note about a red gate has its command on one line", () => {
  const gates = [{ ...red(""), command: "a\n  && b" }];
  expect(composeNotes(stateOf({ last: recordOf(), gates }), settingsOf(), null)[0]).toContain("`a && b`");
});

describe("the note about several red gates", () => {
  const noteOf = (gates: GateRecord[]) =>
    composeNotes(stateOf({ last: recordOf(), gates }), settingsOf(), null)[0] ?? "";

  test("has the end of each output, even with long commands", () => {
    const gates = Array.from({ length: 3 }, (_, n) => ({
      ...red(`${"x".repeat(5000)}end ${n}`),
      command: `${n}`.repeat(200),
    }));
    const note = noteOf(gates);
    for (const n of [0, 1, 2]) expect(note).toContain(`end ${n}`);
    expect(note.length).toBeLessThanOrEqual(1500);
  });

  test("names each without output if there is no room for it", () => {
    const note = noteOf(
      Array.from({ length: 12 }, (_, n) => ({ ...red("a long story\nits end"), command: `gate ${n}` })),
    );
    expect(note).toContain("`gate 11` failed with exit code 1, without output.");
    expect(note).not.toContain("its end");
  });
});

test("the notes stand after the whole prompt, whose line ends are as they were", () => {
  expect(composePrompt("one\ntwo", null, noteBlock(["note"]))).toStartWith("one\ntwo\n\n## Notes from ralph\n");
  expect(composePrompt("one\ntwo\n", null, noteBlock(["note"]))).toStartWith("one\ntwo\n\n## Notes from ralph\n");
});

test("a red gate is named by the first 120 characters of its command", () => {
  const gates = [{ ...red("out"), command: "x".repeat(200) }];
  const note = composeNotes(stateOf({ last: recordOf(), gates }), settingsOf(), null)[0] ?? "";
  expect(note).toContain(`\`${"x".repeat(119)}…\``);
});

test("the note about a review names five findings", () => {
  const details = [1, 2, 3, 4, 5, 6].map((n) => ({
    severity: "LOW" as const,
    file: null,
    line: null,
    issue: `fault ${n}`,
    suggestion: null,
  }));
  const findings = { severity: "LOW" as const, issues_found: 6, summary: "", details };
  const [note] = composeNotes(stateOf({ review: { ...noReview(), findings } }), settingsOf(), null);
  expect(note).toContain("- fault 5");
  expect(note).not.toContain("fault 6");
});

test("the note about a rejected claim names a box by its first 90 characters", () => {
  const plan = parsePlan(`- [ ] ${"x".repeat(200)}`, []);
  const note = composeNotes(stateOf({ last: claim }), evidence, plan)[0] ?? "";
  expect(note).toContain(`line 1: ${"x".repeat(89)}…\n`);
});
