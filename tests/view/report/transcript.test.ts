import { expect, test } from "bun:test";
import type { EventBody, RalphEvent } from "../../../src/core/journal/event.ts";
import { createTranscript } from "../../../src/view/report/transcript.ts";

const HEAD = { v: 1, seq: 1, at: "2026-03-04T12:00:00Z", run: "0001-20260304-120000", iteration: 2 } as const;
const shown = (body: EventBody) =>
  createTranscript((text) => text.replaceAll("/p/shop", "⌂"))
    .entries({ ...HEAD, ...body } satisfies RalphEvent)
    .join("\n");

const began = (call: number, notes?: string) =>
  shown({
    type: "iteration_started",
    number: 2,
    call,
    resume: null,
    plan: null,
    head: null,
    snapshot: null,
    ...(notes === undefined ? {} : { notes }),
  });

test("what the agent was told beside the prompt stands in a folded box of its own, never as markup", () => {
  const html = began(1, "The gate `npm test` is red in /p/shop:\n<b>1 fail</b>");
  expect(html).toStartWith(`<details class="told"><summary><b>told</b> beside the prompt</summary>`);
  expect(html).toContain("<code>npm test</code> is red in ⌂:");
  expect(html).toContain("&lt;b&gt;1 fail&lt;/b&gt;");
  expect(began(1)).toBe("");
});

test("a repeated call says that it goes on, and what it was told", () => {
  expect(began(2, "Mind the tests.")).toMatch(
    /^<p class="note">Iteration 2 goes on, call 2\.<\/p>\n<details class="told">/,
  );
});

test.each([
  ["main", ""],
  ["review", `<p class="phase"><b>review</b></p>`],
  ["look", `<p class="phase"><b>a stranger’s look</b></p>`],
  ["rebase", `<p class="phase"><b>rebase</b></p>`],
] as const)("words of a call for %s are under its label", (purpose, label) => {
  const process = { pid: 1, group: 1, start_time: null, marker: "m", argv: [] };
  expect(shown({ type: "agent_started", call: 1, purpose, ...process })).toBe(label);
});
