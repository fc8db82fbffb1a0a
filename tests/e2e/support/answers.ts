/** The scripted agent's output in the form of Claude Code's. */
import type { Step } from "../../agents/scripted.ts";

export const SESSION = "5e550001-0000-4000-8000-000000000001";

export type Answer = {
  text?: string;
  status?: "IN_PROGRESS" | "COMPLETE" | "BLOCKED";
  exit?: boolean;
  recommendation?: string;
  cost?: number;
  tokens?: number;
  error?: string;
  /** A command that it was not allowed to run. */
  denied?: string;
};

/** A stream of events that ends with one answer and its status block. */
export function answer(parts: Answer = {}): string {
  const { text = "One step further.", error, denied, cost = 0.01, tokens = 150 } = parts;
  const final = {
    type: "result",
    subtype: "success",
    is_error: error !== undefined,
    duration_ms: 5,
    num_turns: 1,
    result: error ?? `${text}\n${block(parts)}`,
    session_id: SESSION,
    total_cost_usd: cost,
    usage: { input_tokens: tokens - 50, output_tokens: 50 },
    permission_denials:
      denied === undefined ? [] : [{ tool_name: "Bash", tool_use_id: "t1", tool_input: { command: denied } }],
  };
  const message = { id: "m1", role: "assistant", content: [{ type: "text", text }] };
  const events = [
    { type: "system", subtype: "init", session_id: SESSION, model: "scripted" },
    { type: "assistant", message, session_id: SESSION },
    final,
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

function block({ status = "IN_PROGRESS", exit = false, recommendation = "go on" }: Answer): string {
  return [
    "---RALPH_STATUS---",
    `STATUS: ${status}`,
    "TASKS_COMPLETED_THIS_LOOP: 1",
    "FILES_MODIFIED: 1",
    "TESTS_STATUS: PASSING",
    "WORK_TYPE: IMPLEMENTATION",
    `EXIT_SIGNAL: ${exit}`,
    `RECOMMENDATION: ${recommendation}`,
    "---END_RALPH_STATUS---",
  ].join("\n");
}

/** A step that changes a file and says so. */
export function works(nth: number, parts: Answer = {}): Step {
  return { files: { [`src/${nth}.txt`]: `${nth}\n` }, stdout: answer(parts) };
}

/** A step that says that everything is done. */
export const done: Step = { stdout: answer({ status: "COMPLETE", exit: true, text: "Everything is in place." }) };

/** A call that answers with a text, word for word. */
export function claudeSays(text: string, session = SESSION): Step {
  const lines = [
    { type: "system", subtype: "init", session_id: session, tools: [], model: "m" },
    { type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] }, session_id: session },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: text,
      session_id: session,
      usage: { input_tokens: 1000, output_tokens: 50 },
      total_cost_usd: 0.01,
      num_turns: 1,
    },
  ];
  return { stdout: lines.map((line) => `${JSON.stringify(line)}\n`).join("") };
}

/** The beginning of an answer of Claude Code: only its final event would tell what the whole call used. */
export const SPENDING = [
  { type: "system", subtype: "init", session_id: SESSION, model: "claude-opus-4-8" },
  {
    type: "assistant",
    session_id: SESSION,
    message: {
      id: "m1",
      role: "assistant",
      model: "claude-opus-4-8",
      content: [{ type: "text", text: "I begin." }],
      usage: { input_tokens: 2000, output_tokens: 50 },
    },
  },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join("");
