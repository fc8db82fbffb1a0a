/** What `ralph analyze` says of an answer, sentence by sentence. */
import { describe, expect, test } from "bun:test";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { analyzeReport } from "../../../src/core/answer/analyze-report.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import { explain } from "../../../src/core/answer/explain-analysis.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { AgentEvent } from "../../../src/driver.ts";

const outputOf = (...events: AgentEvent[]) => events.reduce(collectEvent, emptyCollectedOutput());
const answer = (text: string): AgentEvent => ({ type: "finished", ok: true, text, duration_ms: null, cost_usd: null });
const status = (...fields: string[]) => ["---RALPH_STATUS---", ...fields, "---END_RALPH_STATUS---"].join("\n");

function sentences(...events: AgentEvent[]): string[] {
  const output = outputOf(...events);
  return explain(analyse(output, null, { allowedTools: [], filesChanged: null }), output);
}

describe("the explanation of an answer", () => {
  test.each<[string, string, string]>([
    [
      "words alone",
      "All tasks are complete.",
      "Done signal: no, the final answer has no status block, and words alone never end a run.",
    ],
    [
      "a phrase that is an indicator",
      "All tasks are complete.",
      'Completion indicator: yes, "All tasks are complete" in line 1 has confidence 80.',
    ],
    [
      "a phrase that is too weak",
      "The parser is done.",
      'Completion indicator: no, "done" in line 1 has confidence 20, under 60.',
    ],
    ["no phrase", "I looked around.", "Completion indicator: no."],
    ["an exit signal", status("EXIT_SIGNAL: true"), "Completion indicator: yes, by EXIT_SIGNAL."],
    ["a status", status("STATUS: COMPLETE", "EXIT_SIGNAL: false"), "Completion indicator: yes, by STATUS."],
    [
      "the end of the loop where the agent is blocked",
      status("STATUS: BLOCKED", "EXIT_SIGNAL: true"),
      "Done signal: no, STATUS: BLOCKED beats EXIT_SIGNAL: true (status block in lines 1 to 4 of the final answer).",
    ],
    [
      "a status that an exit signal contradicts",
      status("STATUS: COMPLETE", "EXIT_SIGNAL: false"),
      "Done signal: no, the explicit EXIT_SIGNAL: false beats STATUS: COMPLETE (status block in lines 1 to 4 of the final answer).",
    ],
    [
      "a status without an exit signal",
      status("STATUS: COMPLETE"),
      "Done signal: yes, STATUS is COMPLETE and EXIT_SIGNAL is missing (status block in lines 1 to 3 of the final answer).",
    ],
    ["a recommendation", status("STATUS: BLOCKED", "RECOMMENDATION: Ask."), "Status: BLOCKED. It recommends: Ask."],
  ])("names the rule for %s", (_name, text, sentence) => expect(sentences(answer(text))).toContain(sentence));

  test("names the first of the error lines and counts them", () => {
    const failed: AgentEvent = { type: "tool_result", tool_use_id: "t", content: "Error: a\nError: b", is_error: true };
    expect(sentences(failed, answer("Hm."))).toContain("Error lines: 2, 2 of them different. The first: Error: a");
  });
});

test("a recorded file is headed by its driver, or by the fact that none is known", () => {
  const recorded = {
    format: "jsonl" as const,
    output: outputOf(answer("Done.")),
    sessionId: null,
    isResumable: false,
    usage: noUsage(),
    events: 1,
    unknownEvents: 0,
  };
  const { lines } = analyzeReport(
    [
      { file: "a.log", recorded: { ...recorded, driver: "codex" } },
      { file: "b.log", recorded: { ...recorded, driver: null, events: 2 } },
    ],
    { allowedTools: [], signals: 0, countSignals: (signals) => signals + 1 },
  );
  expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
    "1. a.log (codex, jsonl, 1 event)",
    "2. b.log (no known agent, jsonl, 2 events)",
  ]);
});
