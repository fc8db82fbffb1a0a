import { expect, test } from "bun:test";
import { noSession } from "../../../src/core/decide/session.ts";
import { cutOffNote } from "../../../src/core/prompt/cut-off-note.ts";
import { stateOf } from "../given.ts";

test("after an undo nothing is said of a call that was cut off: its work is gone", () => {
  const state = stateOf({ cut_off: true });
  expect(cutOffNote(state)).toContain("do nothing twice");
  expect(cutOffNote({ ...state, session: noSession(null, "undone") })).toBe("");
});
