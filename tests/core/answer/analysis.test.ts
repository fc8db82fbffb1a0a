import { describe, expect, test } from "bun:test";
import { analyse } from "../../../src/core/answer/analysis.ts";
import type { Analysis } from "../../../src/core/answer/analysis-types.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import { explain } from "../../../src/core/answer/explain-analysis.ts";
import type { AgentEvent } from "../../../src/driver.ts";

const NOBODY = { allowedTools: [] };

function outputOf(...events: AgentEvent[]) {
  return events.reduce(collectEvent, emptyCollectedOutput());
}

function answer(text: string, fields?: Record<string, unknown>): AgentEvent {
  return { type: "finished", ok: true, text, ...(fields && { fields }), duration_ms: null, cost_usd: null };
}

function block(...lines: string[]): string {
  return ["Work.", "---RALPH_STATUS---", ...lines, "---END_RALPH_STATUS---"].join("\n");
}

function analysed(text: string, fields?: Record<string, unknown>): Analysis {
  return analyse(outputOf(answer(text, fields)), null, NOBODY);
}

describe('the done verdict (product.md "Done")', () => {
  type Verdict = [done: boolean, exit: boolean, explicit: boolean, indicator: boolean];
  const cases: [string, Analysis, Verdict][] = [
    ["EXIT_SIGNAL: true", analysed(block("EXIT_SIGNAL: true")), [true, true, true, true]],
    [
      "EXIT_SIGNAL: true in progress",
      analysed(block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: true")),
      [true, true, true, true],
    ],
    ["COMPLETE without EXIT_SIGNAL", analysed(block("STATUS: COMPLETE")), [true, false, false, true]],
    ["COMPLETE with false", analysed(block("STATUS: COMPLETE", "EXIT_SIGNAL: false")), [false, false, true, true]],
    ["COMPLETE with no", analysed(block("STATUS: COMPLETE", "EXIT_SIGNAL: no")), [false, false, true, true]],
    [
      "COMPLETE with an unreadable one",
      analysed(block("STATUS: COMPLETE", "EXIT_SIGNAL: si")),
      [true, false, false, true],
    ],
    ["BLOCKED with true", analysed(block("STATUS: BLOCKED", "EXIT_SIGNAL: true")), [false, false, true, false]],
    ["flat BLOCKED with true", analysed("", { status: "BLOCKED", exit_signal: true }), [false, false, true, false]],
    ["IN_PROGRESS", analysed(block("STATUS: IN_PROGRESS")), [false, false, false, false]],
    ["words about all of it", analysed("All tasks are complete."), [false, false, false, true]],
    ["weak words", analysed("The parser is done."), [false, false, false, false]],
    [
      "words inside a block",
      analysed(block("STATUS: BLOCKED", "RECOMMENDATION: all tasks are done")),
      [false, false, false, false],
    ],
    ["flat fields", analysed("", { status: "complete", exit_signal: "TRUE" }), [true, true, true, true]],
    ["flat COMPLETE with false", analysed("", { status: "COMPLETE", exit_signal: false }), [false, false, true, true]],
    ["metadata", analysed("", { metadata: { completion_status: "complete" } }), [true, false, false, true]],
    [
      "a block beside fields",
      analysed(block("EXIT_SIGNAL: false"), { exit_signal: true }),
      [false, false, true, false],
    ],
    ["fields of odd types", analysed("", { status: 5, exit_signal: 1, metadata: [] }), [false, false, false, false]],
  ];
  for (const [what, analysis, [done, exit, explicit, indicator]] of cases) {
    test(`holds for ${what}`, () =>
      expect(analysis).toMatchObject({
        has_completion_signal: done,
        exit_signal: exit,
        exit_signal_explicit: explicit,
        is_completion_indicator: indicator,
      }));
  }

  test("ignores all words but the main agent's", () => {
    const output = outputOf({ type: "text", text: block("EXIT_SIGNAL: true"), nested: true }, answer("Going on."));
    expect(analyse(output, null, NOBODY).exit_signal).toBe(false);
  });
});

describe("a test-only iteration", () => {
  const output = outputOf(answer(block("WORK_TYPE: TESTING")));
  const isTestOnly = (filesChanged: string[] | null) => analyse(output, null, { ...NOBODY, filesChanged }).is_test_only;
  test("is believed if the changed files are unknown", () => expect(isTestOnly(null)).toBe(true));
  test("may change nothing but tests", () => {
    expect(isTestOnly([])).toBe(true);
    expect(isTestOnly(["tests/a.ts", "src/b.test.ts"])).toBe(true);
  });
  test("is disproved by any other changed file", () => expect(isTestOnly(["tests/a.ts", "src/a.ts"])).toBe(false));
  test("may be claimed by a flat JSON field", () => {
    expect(analysed("", { work_type: "TEST_ONLY" })).toMatchObject({ is_test_only: true, work_type: "TESTING" });
  });
});

describe("the stuck verdict", () => {
  const failing = (...lines: string[]) => outputOf(answer(lines.join("\n")));
  test("needs more than five error lines in one iteration", () => {
    expect(analyse(failing(..."abcde".split("").map((x) => `Error: ${x}`)), null, NOBODY).is_stuck).toBe(false);
    expect(analyse(failing(...Array(6).fill("Error: a")), null, NOBODY).is_stuck).toBe(true);
  });
  test("needs the same error lines in three iterations, whatever their numbers and order", () => {
    const first = analyse(failing("Error: a 1", "Error: b"), null, NOBODY);
    const second = analyse(failing("Error: b", "Error: a 2"), first, NOBODY);
    const third = analyse(failing("Error: a 3", "Error: b"), second, NOBODY);
    expect([first, second, third].map((one) => one.is_stuck)).toEqual([false, false, true]);
    expect(third.same_error_count).toBe(3);
    expect(analyse(failing("Error: c"), third, NOBODY)).toMatchObject({ is_stuck: false, same_error_count: 1 });
    expect(analyse(failing("fine"), third, NOBODY)).toMatchObject({ is_stuck: false, same_error_count: 0 });
  });
  test("may come from an error count in the JSON fields", () => {
    expect(analysed("", { error_count: 6 }).is_stuck).toBe(true);
    expect(analysed("", { error_count: 6.5 }).is_stuck).toBe(false);
  });
});

describe("a usage limit", () => {
  const failed = (message: string, errorClass: "limit" | "request"): AgentEvent[] => [
    { type: "error", message, class: errorClass },
    { type: "finished", ok: false, text: null, duration_ms: null, cost_usd: null },
  ];
  const limitOf = (...events: AgentEvent[]) => analyse(outputOf(...events), null, { ...NOBODY, now: 0 }).usage_limit;
  test("is never read from an answer", () => {
    expect(limitOf(answer("I documented: You've hit your usage limit, resets 3am."))).toBeNull();
  });
  test("is read from the final error, with its reset time", () => {
    expect(limitOf(...failed("usage limit reached|1767225600", "limit"))?.resets_at).toBe("2026-01-01T00:00:00.000Z");
  });
  test("of structured data wins, and the wording only adds its reset time", () => {
    const structured: AgentEvent = { type: "rate_limited", kind: "usage_limit", message: "plan", resets_at: null };
    expect(limitOf(structured, ...failed("rate limited, retry in 5s", "limit"))).toEqual({
      kind: "usage_limit",
      message: "plan",
      resets_at: "1970-01-01T00:00:05.000Z",
    });
  });
  test("that only structure tells keeps the reset time of its own words", () => {
    expect(limitOf(...failed("Allowance spent. Try again in 2 hours.", "limit"))).toEqual({
      kind: "usage_limit",
      message: "Allowance spent. Try again in 2 hours.",
      resets_at: "1970-01-01T02:00:00.000Z",
    });
  });
  test("is not reported for an error of another class", () => {
    expect(limitOf(...failed("rate limit docs are too long", "request"))).toBeNull();
  });
});

test("a denial and advice in one answer count as a denial", () => {
  const denied = (command: string): AgentEvent => ({ type: "denied", tool: "Bash", command, tool_use_id: command });
  const options = { allowedTools: ["Bash(npm *)"] };
  expect(analyse(outputOf(denied("npm a | tail"), denied("docker ps"), answer("")), null, options)).toMatchObject({
    has_permission_denials: true,
    permission_denial_count: 2,
    denied_commands: ["Bash(npm a | tail)", "Bash(docker ps)"],
    has_compound_command_limitation: false,
    compound_command_count: 1,
  });
  expect(analyse(outputOf(denied("npm a | tail"), answer("")), null, options)).toMatchObject({
    has_permission_denials: false,
    permission_denial_count: 1,
    has_compound_command_limitation: true,
  });
});

test("the explanation names the verdicts, the lines and the rules", () => {
  const output = outputOf(
    { type: "denied", tool: "Bash", command: "docker ps", tool_use_id: null },
    answer(
      `Should I go on?\nError: cannot open a.db\n${block("STATUS: COMPLETE", "EXIT_SIGNAL: false", "WORK_TYPE: TESTING")}`,
    ),
  );
  expect(explain(analyse(output, null, NOBODY), output)).toEqual([
    "Done signal: no, the explicit EXIT_SIGNAL: false beats STATUS: COMPLETE (status block in lines 4 to 8 of the final answer).",
    "Completion indicator: yes, by STATUS.",
    "Status: COMPLETE.",
    "Test-only: yes, WORK_TYPE is TESTING and no other file than tests is known to have changed.",
    "Error lines: 1, 1 of them different. The first: Error: cannot open a.db",
    "Denied: yes, 1 by the agent's CLI: Bash(docker ps).",
    "Questions: 1, the first in line 1: Should I go on?",
  ]);
});

describe("the fields of a JSON answer", () => {
  test("name the kind of work, which the block beats", () => {
    expect(analysed("", { work_type: "REFACTORING" }).work_type).toBe("REFACTORING");
    expect(analysed(block("WORK_TYPE: TESTING"), { work_type: "REFACTORING" }).work_type).toBe("TESTING");
  });

  test.each<[Record<string, unknown>, number]>([
    [{ confidence: 60 }, 70],
    [{}, 10],
    [{ status: "COMPLETE" }, 99],
    [{ exit_signal: true }, 100],
    [{ confidence: 100 }, 100],
  ])("with two progress indicators and %j give a confidence of %p", (fields, score) => {
    const metadata = { progress_indicators: ["tests pass", "docs written"] };
    expect(analysed("", { ...fields, metadata }).confidence_score).toBe(score);
  });

  test("with progress indicators alone speak of no completion", () => {
    const metadata = { progress_indicators: Array.from({ length: 30 }, () => "x") };
    expect(analysed("", { metadata })).toMatchObject({ is_completion_indicator: false, confidence_score: 99 });
  });

  test("tell of errors, which are counted and said", () => {
    const output = outputOf(answer("Hm.", { metadata: { has_errors: true } }));
    const analysis = analyse(output, null, NOBODY);
    expect(analysis).toMatchObject({ error_count: 1, errors: [], is_stuck: false });
    expect(explain(analysis, output)).toContain("Errors: 1, as the answer's fields say.");
    expect(analysed("Error: a\nError: b", { error_count: 1 }).error_count).toBe(2);
  });
});
