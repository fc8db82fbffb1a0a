/** Makes the journal of an invented run of any length. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { EventBody, RalphEvent } from "../../../src/core/journal/event.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { analysisOf, evidenceOf, settingsOf } from "../../core/given.ts";

/** Name of the invented run. */
export const RUN = "0001-20260304-120000";

/** Text of an agent that must not become markup. */
export const HOSTILE = `<script>document.title = "taken"</script><img src=x onerror="document.title='taken'"> &amp; "'\u001b[31m`;

export type LongRun = { iterations: number; tools: number; resultBytes: number };

/** Every third iteration makes no progress, every seventh fails; gates are red in every fifth. @returns bytes written */
export function writeLongJournal(project: string, { iterations, tools, resultBytes }: LongRun): number {
  const dir = join(project, ".ralph/runs", RUN);
  mkdirSync(dir, { recursive: true });
  const file = openSync(join(dir, "events.jsonl"), "w");
  const usage = { ...noUsage(), input_tokens: 5000, output_tokens: 900, cost_usd: 0.25, model: "model-1" };
  let at = Date.parse("2026-03-04T12:00:00Z");
  let seq = 0;
  let iteration = 0;
  let bytes = 0;
  let lines = "";
  const flush = () => {
    bytes += writeSync(file, lines);
    lines = "";
  };
  const put = (body: EventBody) => {
    at += 500;
    seq += 1;
    const event: RalphEvent = { v: 1, seq, at: new Date(at).toISOString(), run: RUN, iteration, ...body };
    lines += `${JSON.stringify(event)}\n`;
    if (lines.length > 1 << 20) flush();
  };
  const settings = { ...settingsOf({ PROJECT_NAME: "weather <b>station</b>" }) };
  put({
    type: "run_started",
    version: "1",
    driver: "demo",
    settings,
    state: initialState(project),
    pid: 1,
    started_by: "cli",
    project,
  });
  for (let number = 1; number <= iterations; number += 1) {
    iteration = number;
    const plan = { total: iterations, checked: number - 1, unchecked: 1, blocking_unchecked: iterations - number + 1 };
    put({ type: "iteration_started", number, call: 1, resume: null, plan, head: null, snapshot: null });
    put({ type: "agent_text", call: 1, text: `Words of iteration ${number}: ${HOSTILE}` });
    for (let tool = 0; tool < tools; tool += 1) {
      const tool_id = `t${tool}`;
      const input = { file_path: join(project, "src", `${tool % 9}.ts`), old_string: "a", new_string: "b\nc" };
      put({ type: "agent_tool_started", call: 1, tool_id, tool: "Edit", input });
      put({
        type: "agent_tool_finished",
        call: 1,
        tool_use_id: tool_id,
        content: "x".repeat(resultBytes),
        is_error: false,
      });
    }
    const failed = number % 7 === 0;
    const progress = !failed && number % 3 !== 0;
    put({ type: "agent_usage", call: 1, ...usage });
    put({
      type: "gate_finished",
      command: "npm test",
      exit_code: number % 5 === 0 ? 1 : 0,
      ms: 90,
      timed_out: false,
      output: HOSTILE,
    });
    put({
      type: "iteration_finished",
      outcome: failed ? "failed" : "answered",
      analysis: analysisOf(),
      evidence: evidenceOf({ progress, plan, plan_delta: 1, files_changed: ["src/1.ts"], files_changed_count: 1 }),
      verdict: { rule: "progress", sentence: `Sentence of iteration ${number}. ${HOSTILE}` },
      breaker: closedBreaker(),
      usage,
      ms: 400,
    });
    iteration = 0;
  }
  const sentence = "All is done.";
  put({
    type: "run_finished",
    stop_reason: "plan_complete",
    exit_code: 0,
    sentence,
    iterations,
    calls: iterations,
    usage,
    cost_usd: 1,
  });
  flush();
  closeSync(file);
  return bytes;
}
