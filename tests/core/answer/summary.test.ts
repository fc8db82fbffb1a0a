import { expect, test } from "bun:test";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import type { AgentEvent } from "../../../src/driver.ts";

const analysed = (...events: AgentEvent[]) =>
  analyse(events.reduce(collectEvent, emptyCollectedOutput()), null, { allowedTools: [] });
const said = (text: string): AgentEvent => ({ type: "text", text });
const finished = (text: string, fields: Record<string, unknown> = {}): AgentEvent => ({
  type: "finished",
  ok: true,
  text,
  fields,
  duration_ms: null,
  cost_usd: null,
});

test("the summary is the first line of the answer's own text, without surrounding blanks", () => {
  expect(analysed(finished("\n  \n   Added the parser.  \nThen its tests.")).work_summary).toBe("Added the parser.");
});

test("the summary keeps the code and the quoted words of its line", () => {
  const text = "```ts\ncode\n```\nAdded `greet()`; it failed with 'no module left-pad'.";
  expect(analysed(finished(text)).work_summary).toBe("Added `greet()`; it failed with 'no module left-pad'.");
});

test("a summary in a JSON field wins over the text", () => {
  expect(analysed(finished("Words.", { summary: " Given. " })).work_summary).toBe("Given.");
});

test("a long summary is cut to 200 characters", () => {
  expect(analysed(finished("x".repeat(300))).work_summary).toHaveLength(200);
});

test("the output length is that of all text, or of the final answer if longer", () => {
  expect(analysed(said("12345"), said("67"), finished("1")).output_length).toBe(7);
  expect(analysed(said("1"), finished("12345")).output_length).toBe(5);
});

const block = (...lines: string[]) => ["---RALPH_STATUS---", ...lines, "---END_RALPH_STATUS---"].join("\n");

test.each<[string, string, Record<string, unknown>, number]>([
  ["an exit signal is certain", block("EXIT_SIGNAL: true"), { confidence: 5 }, 100],
  ["COMPLETE alone is nearly so", block("STATUS: COMPLETE"), { confidence: 5 }, 90],
  ["a claimed confidence counts where nothing else is said", "Words.", { confidence: 40 }, 40],
  ["words count where they are stronger than the claim", "All tasks are done.", { confidence: 40 }, 80],
])("the confidence of an answer: %s", (_, text, fields, score) =>
  expect(analysed(finished(text, fields)).confidence_score).toBe(score),
);

test("collected text keeps its end, and never holds more than 400,000 characters", () => {
  const part = "x".repeat(150_000);
  const three = [said(`first${part}`), said(part), said(`${part}last`)].reduce(collectEvent, emptyCollectedOutput());
  expect([three.trailingText.length, three.trailingText.endsWith("last")]).toEqual([200_000, true]);
  const two = [said(`first${part}`), said(`${part}last`)].reduce(collectEvent, emptyCollectedOutput());
  expect(two.trailingText.startsWith("first")).toBe(true);
});

test("at most 200 denials are listed, but all are counted", () => {
  const denied = Array.from(
    { length: 250 },
    (_, n): AgentEvent => ({
      type: "denied",
      tool: "Bash",
      command: `c${n}`,
      tool_use_id: `t${n}`,
    }),
  );
  const output = denied.reduce(collectEvent, emptyCollectedOutput());
  expect([output.denials.length, output.denialCount]).toEqual([200, 250]);
});
