import { expect, test } from "bun:test";
import { handOverNote } from "../../../src/core/prompt/hand-over.ts";
import { evidenceOf, recordOf } from "../given.ts";

const renewed = { session_id: null, reset_at: null, reset_reason: "session_renewed" } as const;
const files = Array.from({ length: 10 }, (_, n) => `src/${n}.ts`);
const last = recordOf(
  { work_summary: "Added\nthe cart." },
  { evidence: evidenceOf({ files_changed: files, files_changed_count: 10 }) },
);

test("a renewed conversation hears what the one before said and changed last", () => {
  const note = handOverNote({ session: renewed, last });
  expect(note).toContain("Its last answer: Added the cart.");
  expect(note).toContain("src/7.ts and 2 more.");
});

test("a conversation that begins for another reason hears nothing of it", () => {
  expect(handOverNote({ session: { ...renewed, reset_reason: "manual_reset_flag" }, last })).toBe("");
  expect(handOverNote({ session: renewed, last: null })).toBe("");
});
