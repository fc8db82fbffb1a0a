import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import codex from "../../drivers/codex.ts";
import type { CallFacts, ErrorClass } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { seed } from "../seed.ts";
import { decodeObjects, only } from "./recordings/recordings.ts";

const events = (...lines: unknown[]) => decodeObjects(codex, lines);
const item = (type: string, event: "started" | "completed", fields: object, id = "item_1") => ({
  type: `item.${event}`,
  item: { id, type, ...fields },
});
const started = { type: "thread.started", thread_id: "t1" };
const turn = { type: "turn.completed", usage: { input_tokens: 1000, output_tokens: 50 } };

describe("the decoder of Codex", () => {
  test("gives one call and one result for a command that is reported twice", () => {
    const command = { command: "ls nope", aggregated_output: "", exit_code: null, status: "in_progress" };
    const ended = { ...command, aggregated_output: "no such file", exit_code: 2, status: "failed" };
    const all = events(item("command_execution", "started", command), item("command_execution", "completed", ended));
    expect(all).toEqual([
      { type: "tool_use", tool_id: "item_1", tool: "Bash", input: { command: "ls nope", description: null } },
      { type: "tool_result", tool_use_id: "item_1", content: "no such file", is_error: true },
    ]);
  });

  test("gives an event for each update of a running command: a line without one would pass for plain text", () => {
    const running = { command: "ls", status: "in_progress" };
    const updated = { type: "item.updated", item: { id: "item_1", type: "command_execution", ...running } };
    const empty = item("file_change", "completed", { changes: [] }, "item_2");
    const all = events(item("command_execution", "started", running), updated, empty);
    expect(all.map(({ type }) => type)).toEqual(["tool_use", "ignored", "ignored"]);
  });

  describe("a turn that is completed without an answer", () => {
    const said = item("agent_message", "completed", { text: "Done." });
    const ran = item("command_execution", "completed", { command: "ls", status: "completed", exit_code: 0 });
    const empty = { type: "turn.completed", usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 } };
    const limit = { type: "error", message: "You've hit your usage limit." };
    const ends = (...lines: object[]): unknown => {
      const all = events(started, { type: "turn.started" }, ...lines);
      return [only(all, "error").map((event) => event.class), only(all, "finished").map(({ ok }) => ok)];
    };
    const well = [[], [true]];
    test("is a failure where the model was not asked at all", () => {
      expect(ends(empty)).toEqual([["context"], [false]]);
      expect(ends(item("error", "completed", { message: "a warning" }), empty)).toEqual([["context"], [false]]);
      const facts: CallFacts = {
        resume: "t1",
        used: { ...decoderKit.emptyUsage(), input_tokens: 1000, output_tokens: 50 },
      };
      const decoder = codex.decoder?.(decoderKit, facts);
      const all = [started, turn].flatMap((line) => decoder?.line(JSON.stringify(line)) ?? []);
      expect(only(all, "finished").map(({ ok }) => ok)).toEqual([false]);
    });
    test("has the reason that an error stated", () => {
      expect(ends(limit, empty)).toEqual([["limit"], [false]]);
    });
    test("is none where it worked or answered", () => {
      expect(ends(ran, turn)).toEqual(well);
      expect(ends(ran, empty)).toEqual(well);
      expect(ends(said, empty)).toEqual(well);
      expect(ends(turn)).toEqual(well);
      expect(ends({ type: "turn.completed" })).toEqual(well);
    });
  });

  test("gives one call per file for a change of several files", () => {
    const changes = [
      { path: "a", kind: "add" },
      { path: "b", kind: "update" },
      { path: "c", kind: "delete" },
    ];
    const all = events(
      item("file_change", "started", { changes, status: "in_progress" }),
      item("file_change", "completed", { changes, status: "completed" }),
    );
    expect(only(all, "tool_use")).toEqual([
      { type: "tool_use", tool_id: "item_1", tool: "Write", input: { file_path: "a", content: "" } },
      {
        type: "tool_use",
        tool_id: "item_1/1",
        tool: "Edit",
        input: { file_path: "b", old_string: "", new_string: "" },
      },
      { type: "tool_use", tool_id: "item_1/2", tool: "Other", name: "delete_file", input: { file_path: "c" } },
    ]);
    expect(only(all, "tool_result").map(({ tool_use_id }) => tool_use_id)).toEqual(["item_1", "item_1/1", "item_1/2"]);
  });

  test("keeps names and arguments of calls of MCP servers and other agents", () => {
    const mcp = { server: "s", tool: "t", arguments: { x: 1 }, status: "failed", error: { message: "no" } };
    const all = events(
      item("mcp_tool_call", "completed", mcp),
      item("web_search", "completed", { query: "q" }, "item_2"),
      item("collab_tool_call", "completed", { tool: "spawn_agent", prompt: "p", status: "completed" }, "item_3"),
    );
    expect(only(all, "tool_use").map((call) => [call.tool, "name" in call && call.name, call.input])).toEqual([
      ["Other", "mcp__s__t", { x: 1 }],
      ["Other", "web_search", { query: "q" }],
      ["Other", "spawn_agent", { tool: "spawn_agent", prompt: "p" }],
    ]);
    expect(only(all, "tool_result")[0]).toMatchObject({ content: "no", is_error: true });
  });

  test("reports a declined command as a denial", () => {
    const declined = { command: "rm -r x", status: "declined", aggregated_output: "" };
    expect(only(events(item("command_execution", "completed", declined)), "denied")).toEqual([
      { type: "denied", tool: "Bash", command: "rm -r x", tool_use_id: "item_1" },
    ]);
  });

  test("reads an error event as a retry if it says so, and never as the end", () => {
    const error = (message: string) => ({ type: "error", message });
    const all = events(
      started,
      error("Reconnecting... 2/5 (stream disconnected)"),
      error("Reconnecting... waiting for network (Connection failed)"),
      error("odd"),
      turn,
    );
    expect(only(all, "retry")).toEqual([
      { type: "retry", attempt: 2, delay_ms: null, reason: "stream disconnected" },
      { type: "retry", attempt: 1, delay_ms: null, reason: "Connection failed" },
    ]);
    expect(only(all, "error")).toEqual([]);
    expect(only(all, "finished")).toMatchObject([{ ok: true }]);
  });

  test("takes the last error as the reason if the process ended, unless the agent made progress since", () => {
    const waiting = { type: "error", message: "Reconnecting... waiting for network (x)" };
    expect(only(events(started, waiting), "error")).toMatchObject([{ class: "offline" }]);
    expect(only(events(started, waiting, item("reasoning", "completed", {})), "error")).toEqual([]);
  });

  test.each<[string, ErrorClass]>([
    ["unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1/v1", "auth"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "limit"],
    ["You’ve hit your usage limit. Upgrade to Pro or try again at 9:42 PM.", "limit"],
    ["unexpected status 400 Bad Request: no", "request"],
    ["unexpected status 529 <unknown status code>: Overloaded", "infrastructure"],
    ["Codex ran out of room in the model's context window. Start a new thread.", "context"],
    ["Incomplete response returned, reason: max_output_tokens", "request"],
    ["Missing environment variable: `MOCK_API_KEY`.", "config"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "infrastructure"],
  ])("classifies the failure %p as %p", (message, expected) => {
    const all = events(started, { type: "turn.failed", error: { message } });
    expect(only(all, "error")).toEqual([{ type: "error", message, class: expected }]);
    expect(only(all, "finished")).toMatchObject([{ ok: false }]);
  });

  test.each<[string, object, string, ErrorClass]>([
    [
      "OpenAI",
      { error: { message: "No tool output found.", type: "invalid_request_error" } },
      "No tool output found.",
      "request",
    ],
    [
      "ChatGPT",
      { detail: "The 'x' model is not supported when using Codex." },
      "The 'x' model is not supported when using Codex.",
      "model",
    ],
    ["an unknown provider", { oops: 1 }, '{"oops":1}', "request"],
  ])("takes message and class from a refusal of %s", (_, answer, message, expected) => {
    const all = events(started, { type: "turn.failed", error: { message: JSON.stringify(answer) } });
    expect(only(all, "error")).toEqual([{ type: "error", message, class: expected }]);
  });

  test("reports event and item types of a future version as unknown and reads on", () => {
    const all = events({ type: "hologram" }, item("scent", "completed", {}), { type: "item.completed" }, turn);
    expect(only(all, "unknown").map(({ name }) => name)).toEqual([
      "hologram",
      "item/scent",
      "item.completed without an item",
    ]);
    expect(only(all, "finished")).toHaveLength(1);
  });

  test("never throws, whatever JSON it gets", () => {
    const type = fc.constantFrom("item.started", "item.completed", "error", "turn.completed", "turn.failed");
    const kind = fc.constantFrom("agent_message", "command_execution", "file_change", "mcp_tool_call", "constructor");
    const key = fc.constantFrom("item", "usage", "error", "message", "changes", "command", "content", "result");
    fc.assert(
      fc.property(type, kind, fc.dictionary(key, fc.jsonValue()), (event, of, fields) => {
        events({ ...fields, type: event }, { type: event, item: { ...fields, type: of } });
      }),
      { seed },
    );
  });
});

describe("the tokens that a thread's file tells of a call", () => {
  const figures = (input_tokens: number, output_tokens: number) => ({
    input_tokens,
    cached_input_tokens: 0,
    output_tokens,
  });
  const count = (last: object, total: object) => ({
    type: "event_msg",
    payload: { type: "token_count", info: { last_token_usage: last, total_token_usage: total } },
  });
  const told = (...lines: object[]) =>
    only(events(...lines), "usage").map(({ input_tokens, output_tokens }) => [input_tokens, output_tokens]);

  test("are those of each request, once, without what the thread had used before", () => {
    const first = count(figures(100, 5), figures(1100, 55));
    expect(told(first, first, count(figures(200, 7), figures(1300, 62)))).toEqual([
      [100, 5],
      [0, 0],
      [200, 7],
    ]);
  });

  test("are none where it tells of limits alone", () => {
    const limits = { type: "event_msg", payload: { type: "token_count", info: null, rate_limits: {} } };
    expect(told(limits, { type: "session_meta", payload: {} }, { type: "event_msg" })).toEqual([]);
  });
});

describe("the usage of a call of Codex", () => {
  const used = { ...decoderKit.emptyUsage(), input_tokens: 700, output_tokens: 40, cache_read_tokens: 300 };
  const threadUsage = {
    input_tokens: 2500,
    cached_input_tokens: 800,
    cache_write_input_tokens: 100,
    output_tokens: 90,
  };

  function usage(facts: CallFacts | undefined, of: object = threadUsage) {
    const decoder = codex.decoder?.(decoderKit, facts);
    const lines = [started, { type: "turn.completed", usage: of }].map((line) => JSON.stringify(line));
    const [found] = only(
      lines.flatMap((line) => decoder?.line(line) ?? []),
      "usage",
    );
    return [found?.input_tokens, found?.output_tokens, found?.cache_read_tokens, found?.cache_creation_tokens];
  }

  test("excludes cached tokens from the input", () => {
    expect(usage(undefined)).toEqual([1600, 90, 800, 100]);
  });
  test("is the thread's usage minus the earlier usage", () => {
    expect(usage({ resume: "t1", used })).toEqual([900, 50, 500, 100]);
  });
  test("is the full usage of a thread other than the resumed one", () => {
    expect(usage({ resume: "t0", used })).toEqual([1600, 90, 800, 100]);
    expect(usage({ resume: null, used })).toEqual([1600, 90, 800, 100]);
  });
  test("is counted once where a call has two turns", () => {
    const decoder = codex.decoder?.(decoderKit, { resume: "t1", used });
    const turn = (input_tokens: number, output_tokens: number) => ({
      type: "turn.completed",
      usage: { input_tokens, cached_input_tokens: 300, output_tokens },
    });
    const lines = [started, turn(2000, 90), turn(3000, 120)].map((line) => JSON.stringify(line));
    const told = only(
      lines.flatMap((line) => decoder?.line(line) ?? []),
      "usage",
    );
    expect(told.map(({ input_tokens, output_tokens }) => [input_tokens, output_tokens])).toEqual([
      [1000, 50],
      [1000, 30],
    ]);
  });
  test("is taken as printed when it is below the thread's earlier usage", () => {
    expect(usage({ resume: "t1", used }, { input_tokens: 10, output_tokens: 5 })).toEqual([10, 5, null, null]);
  });
});
