import { describe, expect, test } from "bun:test";
import type { State } from "../../../src/core/journal/state.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { composeNotes } from "../../../src/core/prompt/prompt-notes.ts";
import { standstillNote } from "../../../src/core/prompt/standstill-note.ts";
import { noHeadway } from "../../../src/core/stop/headway.ts";
import { recordOf, settingsOf, stateOf } from "../given.ts";

const evidence = settingsOf({ DONE_POLICY: "evidence" });
const gate = (command: string, ok: boolean) => ({ command, ok, exit_code: ok ? 0 : 1, timed_out: false, tail: "" });
const idle = (about: Partial<State> = {}) =>
  stateOf({ last: recordOf(), headway: { ...noHeadway(), idle: 1 }, ...about });

describe("after an idle answer the agent reads", () => {
  test("what is open and what is green", () => {
    const plan = parsePlan("- [ ] one\n- [ ] two\n- [x] three\n- [ ] four\n- [ ] five", []);
    const note = standstillNote(idle({ gates: [gate("npm test", true)], plan: plan.counts }), evidence, plan);
    expect(note).toStartWith("Nothing changed in your last answer.");
    expect(note).toContain('Open in the plan: "one", "two", "four" and 1 more. Green: `npm test`.');
    expect(note).not.toContain("EXIT_SIGNAL");
  });

  test("how to say that all is done, where nothing is known to be open", () => {
    const note = standstillNote(idle({ headway: { ...noHeadway(), idle: 3 } }), evidence, null);
    expect(note).toStartWith("Nothing changed in your last 3 answers.");
    expect(note).toContain("STATUS: COMPLETE and EXIT_SIGNAL: true");
  });

  test("nothing about that while a gate is red", () => {
    expect(standstillNote(idle({ gates: [gate("npm test", false)] }), evidence, null)).not.toContain("EXIT_SIGNAL");
  });

  test("only what was missing, if it claimed to be done", () => {
    const state = idle({ last: recordOf({ has_completion_signal: true }), gates: [gate("npm test", false)] });
    expect(composeNotes(state, evidence, null).join("\n")).not.toContain("Nothing changed");
  });

  test("nothing under DONE_POLICY=signals", () => expect(standstillNote(idle(), settingsOf(), null)).toBe(""));
});

describe("half the way to a stop the agent reads", () => {
  const last = recordOf({ has_permission_denials: true, denied_commands: ["Bash(terraform apply)"] });
  const denied = (n: number) => stateOf({ last, headway: { ...noHeadway(), denied: n } });
  const spinning = (n: number) => stateOf({ headway: { ...noHeadway(), same: n, files: ["a.ts"] }, plan: open });
  const open = { total: 1, checked: 0, unchecked: 1, blocking_unchecked: 1 };

  test("what is denied each time", () => {
    expect(standstillNote(denied(2), settingsOf(), null)).toBe("");
    expect(standstillNote(denied(3), settingsOf(), null)).toStartWith(
      "You were denied Bash(terraform apply) in each of the last 3 answers.",
    );
    expect(standstillNote(denied(9), settingsOf({ SAME_DENIAL_THRESHOLD: 0 }), null)).toBe("");
  });

  test("what goes on instead of headway", () => {
    expect(standstillNote(spinning(3), settingsOf(), null)).toBe("");
    expect(standstillNote(spinning(4), settingsOf(), null)).toStartWith(
      "Your last 4 answers changed nothing but a.ts: no box ticked, no commit.",
    );
    expect(standstillNote(spinning(9), settingsOf({ NO_HEADWAY_THRESHOLD: 0 }), null)).toBe("");
  });
});
