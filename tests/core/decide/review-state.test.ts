import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  findingsSentence,
  noReview,
  parseFindings,
  reviewAfter,
  reviewDue,
} from "../../../src/core/decide/review-state.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { reviewContext, reviewPrompt } from "../../../src/core/prompt/review-prompt.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { seed } from "../../seed.ts";
import { callEvents, evidenceOf, fold, recordOf, settingsOf, stateOf } from "../given.ts";

const block = (json: string) => `---REVIEW_FINDINGS---\n${json}\n---END_REVIEW_FINDINGS---`;
const none = { severity: "LOW" as const, issues_found: 0, summary: "", details: [] };

describe("the findings of a review", () => {
  test.each([
    [
      "are the JSON between the markers",
      `Well.\n${block('{"severity":"high","issues_found":2,"summary":"s"}')}`,
      { ...none, severity: "HIGH", issues_found: 2, summary: "s" },
    ],
    ["may stand in a code fence", block('```json\n{"severity":"LOW"}\n```'), none],
    ["may end in the same marker", '---REVIEW_FINDINGS---{"severity":"LOW"}---REVIEW_FINDINGS---', none],
    ["are those of the last block", `${block('{"severity":"HIGH"}')}\n${block('{"severity":"LOW"}')}`, none],
    ["of unknown severity are low", block('{"severity":"odd"}'), none],
    [
      "count their details if no number is given",
      block('{"severity":"LOW","details":[{"issue":"x"},{"no":"issue"},3]}'),
      {
        ...none,
        issues_found: 1,
        details: [{ severity: "LOW", file: null, line: null, issue: "x", suggestion: null }],
      },
    ],
    ["are null without markers", '{"severity":"HIGH"}', null],
    ["are null without an end marker", '---REVIEW_FINDINGS---\n{"severity":"HIGH"}', null],
    ["are null if the JSON is broken", block('{"severity":'), null],
    ["are null if the JSON is not an object", block("[]"), null],
  ])("%s", (_name, answer, expected) => expect(parseFindings(answer)).toEqual(expected as never));

  test("are parsed from any text without an error", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, json) => {
        parseFindings(text);
        parseFindings(block(JSON.stringify(json)));
      }),
      { seed },
    );
  });

  test("are one sentence for the user", () => {
    expect(findingsSentence(none)).toBe("The review found nothing to fix.");
    expect(findingsSentence({ ...none, severity: "HIGH", issues_found: 2, summary: "Two\nleaks." })).toBe(
      "The review found 2 issues (HIGH): Two leaks.",
    );
  });
});

describe("a review", () => {
  const changed = { ...noReview(), files: ["a"] };
  const ticked = recordOf({}, { number: 5, evidence: evidenceOf({ plan_delta: 1 }) });
  const base: Partial<State> = { iteration: 5, last: ticked, review: changed };
  const warning = { ...closedBreaker(), state: "half_open", why: "warning" } as const;
  test.each<[string, Partial<State>, Parameters<typeof settingsOf>[0], boolean]>([
    ["is off by default", base, {}, false],
    ["is due after a ticked box", base, { REVIEW_MODE: "ultimate" }, true],
    [
      "is not due without a ticked box",
      { ...base, last: recordOf({}, { number: 5 }) },
      { REVIEW_MODE: "ultimate" },
      false,
    ],
    ["is due at its interval", base, { REVIEW_MODE: "enhanced" }, true],
    [
      "is not due before its interval",
      { ...base, review: { ...changed, iteration: 1 } },
      { REVIEW_MODE: "enhanced" },
      false,
    ],
    ["is not due without changes", { ...base, review: noReview() }, { REVIEW_MODE: "ultimate" }, false],
    ["is not due unless the breaker is CLOSED", { ...base, breaker: warning }, { REVIEW_MODE: "ultimate" }, false],
    [
      "is not due after a failed call",
      { ...base, last: { ...ticked, outcome: "failed" } },
      { REVIEW_MODE: "ultimate" },
      false,
    ],
  ])("%s", (_name, about, settings, expected) =>
    expect(reviewDue(stateOf(about), settingsOf(settings))).toBe(expected),
  );

  test("keeps its findings until the next answer", () => {
    const told = { ...noReview(), findings: none };
    expect(reviewAfter(told, { evidence: evidenceOf(), answered: false }).findings).toEqual(none);
    expect(reviewAfter(told, { evidence: evidenceOf({ files_changed: ["b"] }), answered: true })).toMatchObject({
      findings: null,
      files: ["b"],
    });
  });

  test("costs a call and leaves session, failures and limit alone", () => {
    const before = stateOf({ review: changed, iteration: 5, last: ticked });
    const end = callEvents(5, 2, { ok: false, error: { class: "auth", message: "log in" } })[1];
    const after = fold(before, [
      { type: "review_started", number: 5, call: 2 },
      { type: "agent_session", call: 2, session_id: "other" },
      { type: "agent_limit", call: 2, kind: "usage_limit", message: "m", resets_at: null },
      ...(end === undefined ? [] : [end]),
      { type: "review_finished", call: 2, findings: none, sentence: "s" },
    ]);
    expect(after).toMatchObject({ calls: 1, iterations: 0, limit: null, last_call: null, session: before.session });
    expect(after.review).toEqual({ ...noReview(), iteration: 5, findings: none });
    expect([after.failures, after.budget.calls]).toEqual([before.failures, 1]);
  });
});

test("a review's prompt always has the answer format", () => {
  expect(reviewPrompt("Look for leaks.", [])).toContain("Look for leaks.\n\n## How to answer");
  expect(reviewPrompt("Use ---REVIEW_FINDINGS---", [])).toContain("Use ---REVIEW_FINDINGS---");
  expect(reviewPrompt("Use ---REVIEW_FINDINGS---", [])).not.toContain("## How to answer");
  expect(reviewPrompt(null, [])).toBe(reviewPrompt(" ", []));
});

test("a review's prompt names what changed, within limits, and its context only how much", () => {
  const files: string[] = Array(100).fill("src/some/file.ts");
  const prompt = reviewPrompt(null, files);
  expect(prompt).toContain("Changed since the last review: src/some/file.ts, src/");
  expect(prompt.length - reviewPrompt(null, []).length).toBeLessThanOrEqual(502);
  expect(reviewContext({ files, commits: ["a"] })).toBe(
    "Review, nobody reads along. Since the last one 100 files changed in 1 commit.",
  );
});
