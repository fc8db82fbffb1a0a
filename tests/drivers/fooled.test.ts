/** Outputs of Claude Code that mention an end, a limit or a denial without being one. */
import { describe, expect, test } from "bun:test";
import { analyse } from "../../src/core/answer/analysis.ts";
import { readRecorded } from "../driver-host/recorded/read-recorded.ts";

type Run = { exitCode?: number; stderr?: string };

const session_id = "0f8e7d6c-1234-4abc-9def-001122334455";
const BLOCK = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
const LIMIT = "You've hit your usage limit · resets 3am (UTC)";
const INIT = { type: "system", subtype: "init", session_id };

const said = (text: string, more = {}) => ({
  type: "assistant",
  message: { id: "m", content: [{ type: "text", text }] },
  ...more,
});
const called = (input: object) => ({
  type: "assistant",
  message: { id: "m", content: [{ type: "tool_use", id: "t", name: "Write", input }] },
});
const returned = (content: string, is_error = false) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content, is_error }] },
});
const over = (result: string, more = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result,
  session_id,
  ...more,
});
const stream = (...events: object[]) => [INIT, ...events].map((event) => `${JSON.stringify(event)}\n`).join("");

function verdict(text: string, run: Run = {}): string {
  const { output } = readRecorded(text, run);
  const analysis = analyse(output, null, { allowedTools: [], now: Date.parse("2026-11-21T20:00:00Z") });
  const words = [
    analysis.has_completion_signal ? "done" : "",
    analysis.usage_limit === null ? "" : "limited",
    analysis.has_permission_denials ? "denied" : "",
    output.error === null ? "" : `failed: ${output.error.class}`,
  ];
  return words.filter((word) => word !== "").join(", ");
}

describe("there is no end, limit or denial in", () => {
  const outputs: [string, string, Run?][] = [
    ["a block in a tool's result", stream(returned(BLOCK), said("On."))],
    ["a block in a tool's input", stream(called({ content: BLOCK }), said("On."))],
    ["a block that the user wrote", stream({ type: "user", message: { role: "user", content: BLOCK } }, said("On."))],
    [
      "a block in a thought",
      stream({ type: "assistant", message: { id: "m", content: [{ type: "thinking", thinking: BLOCK }] } }),
    ],
    ["a block of a sub-agent", stream(said(BLOCK, { parent_tool_use_id: "t" }), said("On."))],
    ["a block before the last tool call", stream(said(BLOCK), called({}), returned("ok"))],
    ["a block before another final answer", stream(said(BLOCK), over("On."))],
    ["a limit in a file that was read", stream(returned(LIMIT), over("On."))],
    ["a limit in a failed tool's result", stream(returned("429 Too Many Requests", true), over("On."))],
    ["a limit in a good answer", stream(over(`I documented: ${LIMIT}`)), { exitCode: 0 }],
    ["a limit in a good answer, exit 1 after it", stream(over(`I documented: ${LIMIT}`)), { exitCode: 1 }],
    ["a limit on stderr of a good call", stream(over("On.")), { exitCode: 0, stderr: "rate limited, retrying" }],
    [
      "a limit that was waited out",
      stream({ type: "rate_limit_event", rate_limit_info: { status: "rejected" } }, over("On.")),
    ],
    [
      "a limit that is near",
      stream({ type: "rate_limit_event", rate_limit_info: { status: "allowed_warning" } }, over("On.")),
    ],
    [
      "words of a missing login in a good answer",
      stream(over("Users see: Not logged in · Please run /login")),
      { exitCode: 0 },
    ],
    [
      "words of a denial",
      stream(returned("You haven't granted it yet: permission denied", true), over("Permission denied.")),
    ],
    ["an empty list of denials", stream(over("On.", { permission_denials: [] }))],
    ["denials that are not a list", stream(over("On.", { permission_denials: "none" }))],
  ];
  for (const [what, text, run] of outputs) test(what, () => expect(verdict(text, run)).toBe(""));
});

describe("there is only a failure in", () => {
  const outputs: [string, string, Run][] = [
    ["a call without an end that read of a limit", stream(returned(LIMIT)), { exitCode: 1 }],
    ["a call whose last event was cut inside that file", stream(returned(LIMIT)).slice(0, -40), { exitCode: 137 }],
    ["a call with only such an event", stream(returned(LIMIT)).split("\n")[1]?.slice(0, -40) ?? "", { exitCode: 137 }],
    [
      "an error whose text was a block",
      stream(over(BLOCK, { is_error: true, subtype: "error_during_execution" })),
      { exitCode: 1 },
    ],
    [
      "stderr that shows such an event",
      "",
      { exitCode: 1, stderr: `crash in ${JSON.stringify(1)}\n{"line": "${LIMIT}` },
    ],
  ];
  for (const [what, text, run] of outputs) test(what, () => expect(verdict(text, run)).toBe("failed: infrastructure"));
});

test("a limit, failure or denial is recognised by structure, or by the words of the final error", () => {
  expect(verdict(stream(said(BLOCK)))).toBe("done");
  expect(verdict(stream(over("", { is_error: true, result: LIMIT })), { exitCode: 1 })).toBe(
    "limited, failed: infrastructure",
  );
  expect(verdict("", { exitCode: 1, stderr: LIMIT })).toBe("limited, failed: limit");
  expect(verdict(stream(over("On.", { permission_denials: [{ tool_name: "Write", tool_input: {} }] })))).toBe("denied");
});
