import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import claudeCode from "../../drivers/claude-code.ts";
import type { CallFacts, ErrorClass } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { seed } from "../seed.ts";
import { decode, decodeObjects, only } from "./recordings/recordings.ts";

const events = (...lines: unknown[]) => decodeObjects(claudeCode, lines);
const init = { type: "system", subtype: "init", session_id: "s1", model: "m" };
const ok = { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s1" };
const delta = (text: unknown) => ({
  type: "stream_event",
  event: { type: "content_block_delta", delta: { type: "text_delta", text } },
});
const says = (content: unknown, more: object = {}) => ({ type: "assistant", message: { content, ...more } });

describe("the decoder of Claude Code", () => {
  test("shows the growing block for each piece of text, and the block once", () => {
    const all = events(delta("Hel"), delta("lo"), says([{ type: "text", text: "Hello" }]), delta("By"), ok);
    expect(only(all, "partial").map(({ text }) => text)).toEqual(["Hel", "Hello", "By"]);
    expect(only(all, "text").map(({ text }) => text)).toEqual(["Hello", "By"]);
  });

  test("marks a sub-agent's calls and text as nested, and hides its pieces", () => {
    const nested = { parent_tool_use_id: "t0" };
    const all = events(
      {
        ...says([
          { type: "text", text: "inner" },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
        ]),
        ...nested,
      },
      { ...delta("in"), ...nested },
      says("outer"),
    );
    expect(all.filter((event) => event.type !== "ignored")).toEqual([
      { type: "text", text: "inner", nested: true },
      { type: "tool_use", tool_id: "t1", nested: true, tool: "Bash", input: { command: "ls", description: null } },
      { type: "text", text: "outer" },
      { type: "complete", over: false },
    ]);
  });

  describe("while sub-agents work in the background", () => {
    const left = (...types: string[]) => ({
      type: "system",
      subtype: "background_tasks_changed",
      tasks: types.map((task_type, index) => ({ task_id: `b${index}`, task_type, description: "" })),
    });
    const turn = (result: string, total_cost_usd: number, more: object = {}) => [
      says([{ type: "text", text: result }], { id: result, usage: { input_tokens: 1, output_tokens: 2 } }),
      { ...ok, result, total_cost_usd, usage: { input_tokens: 10, output_tokens: 20 }, ...more },
    ];
    const ends = (...lines: object[]) => only(events(init, ...lines), "finished").map(({ text }) => text);
    test("takes no turn's end for the call's", () => {
      const stream = [left("local_agent"), ...turn("Waiting.", 1), left(), ...turn("All reported.", 3)];
      expect(ends(...stream)).toEqual(["All reported."]);
      const usages = only(events(init, ...stream), "usage");
      expect(usages.map(({ cost_usd, input_tokens }) => [cost_usd, input_tokens])).toEqual([
        [1, 10],
        [2, 10],
      ]);
    });
    test("takes no turn's end for the call's while another turn is queued", () => {
      expect(ends(...turn("Waiting.", 1, { queued_turn_count: 1 }), ...turn("Done.", 2))).toEqual(["Done."]);
    });
    test("counts that end once nothing follows it", () => {
      const all = events(init, left("local_agent"), ...turn("Waiting.", 1));
      expect(all.findIndex(({ type }) => type === "finished")).toBe(all.length - 1);
      expect(only(all, "finished").map(({ ok: good, text }) => [good, text])).toEqual([[true, "Waiting."]]);
      expect(only(all, "complete").at(-1)).toEqual({ type: "complete", over: null });
      expect(only(all, "usage")).toHaveLength(1);
    });
    test("ends a process that stays silent once they have reported", () => {
      const all = events(init, left("local_agent"), ...turn("Waiting.", 1), left());
      expect(only(all, "complete").at(-1)).toEqual({ type: "complete", over: true });
    });
    test("does not take the turn that they began for finished when it is cut off", () => {
      const cut = says([{ type: "tool_use", id: "t9", name: "Read", input: { file_path: "a" } }]);
      expect(ends(left("local_agent"), ...turn("Waiting.", 1), left(), cut)).toEqual([]);
    });
    test("has no complete answer yet, and counts money once where both turns' ends come last", () => {
      // As recorded from version 2.1.197.
      const task = (subtype: string, more: object) => ({ type: "system", subtype, task_id: "a1", ...more });
      const [first = ok, second = ok] = [turn("Waiting.", 0.002)[1], turn("All reported.", 0.004)[1]];
      const text = (words: string) => says([{ type: "text", text: words }], { stop_reason: "end_turn" });
      const waiting = [init, task("task_started", { task_type: "local_agent" }), text("Waiting.")];
      expect(only(events(...waiting), "complete")).toEqual([]);
      const all = events(
        ...waiting,
        task("task_updated", { patch: { status: "running" } }),
        task("task_updated", { patch: { status: "completed", end_time: 1 } }),
        task("task_notification", { status: "completed" }),
        init,
        text("All reported."),
        first,
        second,
      );
      expect(only(all, "complete").map(({ over }) => over)).toEqual([true]);
      expect(only(all, "finished").map((event) => event.text)).toEqual(["Waiting.", "All reported."]);
      expect(only(all, "usage").map(({ cost_usd }) => cost_usd)).toEqual([0.002, 0.002]);
    });
    test("waits neither for commands nor after an error", () => {
      expect(ends(left("local_bash"), ...turn("Started a server.", 1))).toEqual(["Started a server."]);
      const error = { is_error: true, api_error_status: 500 };
      expect(only(events(init, left("local_agent"), ...turn("API Error", 1, error)), "finished")).toHaveLength(1);
      const later = events(init, left("local_agent"), ...turn("API Error", 1, error));
      expect(later.at(-1)).toMatchObject({ type: "finished", ok: false });
    });
  });

  describe("takes an error that was overcome for none when the stream is cut off", () => {
    const failed = (more: object) => ({
      ...says([{ type: "text", text: "API Error: Request rejected (429)" }], { model: "<synthetic>" }),
      error: "rate_limit",
      ...more,
    });
    const works = says([{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "a" } }]);
    const rejected = { type: "rate_limit_event", rate_limit_info: { status: "rejected", rateLimitType: "seven_day" } };
    test("a sub-agent's", () => {
      expect(only(events(init, failed({ parent_tool_use_id: "t0" })), "error")).toEqual([]);
    });
    test("one that the agent worked on after", () => {
      expect(only(events(init, failed({}), works), "error")).toEqual([]);
      expect(only(events(init, failed({})), "error")).toHaveLength(1);
    });
    test("a limit, after which another model worked", () => {
      const error = { ...ok, is_error: true, api_error_status: 500, result: "API Error: 500" };
      const classes = (...lines: object[]) => only(events(init, ...lines), "error").map((event) => event.class);
      expect(classes(rejected, works, error)).toEqual(["infrastructure"]);
      expect(classes(rejected, error)).toEqual(["limit"]);
    });
  });

  test("counts money once where a process tells of two turns", () => {
    const told = events(init, { ...ok, total_cost_usd: 1, usage: {} }, { ...ok, total_cost_usd: 1.5, usage: {} });
    expect(only(told, "usage").map(({ cost_usd }) => cost_usd)).toEqual([1, 0.5]);
  });

  describe("tells what was denied", () => {
    const call = (id: string, name: string, input: object) => says([{ type: "tool_use", id, name, input }]);
    const refused = (tool_use_id: string, tool_name: string) => ({
      type: "system",
      subtype: "permission_denied",
      tool_name,
      tool_use_id,
      message: "This command requires approval",
    });
    const returned = (tool_use_id: string) => ({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id, is_error: true, content: "denied" }] },
    });
    const stream = [
      call("t1", "Bash", { command: "npm i" }),
      refused("t1", "Bash"),
      returned("t1"),
      call("t2", "Write", { file_path: "a", content: "" }),
      refused("t2", "Write"),
      returned("t2"),
    ];
    test("when the stream is cut off, as by a timeout", () => {
      expect(only(events(init, ...stream), "denied")).toEqual([
        { type: "denied", tool: "Bash", command: "npm i", tool_use_id: "t1" },
        { type: "denied", tool: "Write", command: null, tool_use_id: "t2" },
      ]);
    });
    test("once, where the final event repeats it", () => {
      const permission_denials = [{ tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm i" } }];
      expect(only(events(init, ...stream, { ...ok, permission_denials }), "denied")).toEqual([
        { type: "denied", tool: "Bash", command: "npm i", tool_use_id: "t1" },
      ]);
    });
  });

  describe("takes an answer without its final event for complete", () => {
    const completes = (...jsons: object[]) => only(events(...jsons), "complete");
    const text = [{ type: "text", text: "Done." }];
    const message = (stop_reason: string | null, content: object[] = text) => ({
      type: "assistant",
      message: { id: "m1", content, stop_reason },
    });
    const stopped = (stop_reason: string) => ({
      type: "stream_event",
      event: { type: "message_delta", delta: { stop_reason } },
    });

    test("if the turn ended", () => {
      expect(completes(message("end_turn"))).toEqual([{ type: "complete", over: true }]);
      expect(completes(stopped("end_turn"))).toEqual([{ type: "complete", over: true }]);
    });

    test("perhaps, if the message states no reason for its end", () => {
      expect(completes(message(null))).toEqual([{ type: "complete", over: false }]);
    });

    test("until another message begins", () => {
      const begins = { type: "stream_event", event: { type: "message_start", message: { id: "m2" } } };
      expect(completes(begins, stopped("end_turn"), begins).map(({ over }) => over)).toEqual([true, null]);
    });

    test("not if a tool is to run, the answer was cut, or a sub-agent wrote it", () => {
      const call = { type: "tool_use", id: "t1", name: "Bash", input: {} };
      expect(completes(message(null, [...text, call]))).toEqual([]);
      expect(completes(message("tool_use"), message("max_tokens"), stopped("tool_use"))).toEqual([]);
      expect(completes({ ...message("end_turn"), parent_tool_use_id: "t0" })).toEqual([]);
      expect(completes({ ...message(null), error: "server_error" })).toEqual([]);
    });
  });

  describe("takes a message of the CLI itself in the place of the answer", () => {
    const written = (text: string) => says([{ type: "text", text }], { model: "<synthetic>" });
    const result = (text: string) => ({ type: "result", subtype: "success", is_error: false, result: text });

    test("for the error that it tells, though the result says success", () => {
      const all = events(written("Prompt is too long"), result("Prompt is too long"));
      expect(only(all, "error")).toMatchObject([{ class: "context", message: "Prompt is too long" }]);
      expect(only(all, "finished")).toMatchObject([{ ok: false }]);
    });

    test("for an answer if its words tell no error, or if the agent wrote them", () => {
      expect(only(events(written("No response requested."), result("No response requested.")), "error")).toEqual([]);
      expect(
        only(events(says([{ type: "text", text: "Prompt is too long" }]), result("Prompt is too long")), "error"),
      ).toEqual([]);
    });
  });

  test("reports a message of the CLI itself as the error, never as the agent's text", () => {
    const synthetic = {
      ...says([{ type: "text", text: "API Error: Overloaded" }], { model: "<synthetic>" }),
      error: "overloaded",
    };
    const cut = events(init, synthetic);
    expect(only(cut, "text")).toEqual([]);
    expect(only(cut, "error")).toEqual([{ type: "error", class: "infrastructure", message: "API Error: Overloaded" }]);
    expect(only(events(says("No response requested.", { model: "<synthetic>" }), ok), "text")).toEqual([]);
  });

  describe("takes the tokens of sub-agents from the figures per model", () => {
    // Recorded from version 2.1.332: an answer of 2,330 tokens beside a sub-agent of 37,700.
    const own = { input_tokens: 2200, output_tokens: 130, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const all = { inputTokens: 9200, outputTokens: 830, cacheReadInputTokens: 30000, cacheCreationInputTokens: 0 };
    const tokens = (...results: object[]) =>
      only(events(init, ...results.map((more) => ({ ...ok, ...more }))), "usage").map((event) => [
        event.input_tokens,
        event.output_tokens,
        event.cache_read_tokens,
      ]);
    test("which the usage beside it lacks", () => {
      expect(tokens({ usage: own, modelUsage: { m: all } })).toEqual([[9200, 830, 30000]]);
    });
    test("once, where a process tells of two turns", () => {
      const later = { ...all, inputTokens: 9300, outputTokens: 840, cacheReadInputTokens: 31000 };
      const next = { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 1000 };
      expect(tokens({ usage: own, modelUsage: { m: all } }, { usage: next, modelUsage: { m: later } })).toEqual([
        [9200, 830, 30000],
        [100, 10, 1000],
      ]);
    });
    test("once, where the final event comes twice", () => {
      const end = { usage: own, modelUsage: { m: all } };
      expect(tokens(end, end)).toEqual([
        [9200, 830, 30000],
        [0, 0, 0],
      ]);
    });
    test("not where they tell of less than the usage", () => {
      expect(tokens({ usage: own, modelUsage: { m: { inputTokens: 1 } } })).toEqual([[2200, 130, 0]]);
    });
  });

  describe("takes what the conversation had cost before its call from the final figures", () => {
    const used = {
      ...decoderKit.emptyUsage(),
      input_tokens: 1200,
      output_tokens: 90,
      cache_read_tokens: 0,
      cache_creation_tokens: 0,
      cost_usd: 0.0066,
    };
    const carrying = { ...init, claude_code_version: "2.1.332" };
    // Recorded from 2.1.332, the second call of a conversation of two equal ones.
    const second = {
      ...ok,
      total_cost_usd: 0.0132,
      usage: { input_tokens: 1200, output_tokens: 90, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      modelUsage: { m: { inputTokens: 2400, outputTokens: 180, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 } },
    };
    const told = (facts: CallFacts | undefined, ...lines: object[]) => {
      const decoder = claudeCode.decoder?.(decoderKit, facts);
      const all = lines.flatMap((line) => decoder?.line(JSON.stringify(line)) ?? []);
      return only(all, "usage").map(({ cost_usd, input_tokens, output_tokens }) => [
        cost_usd,
        input_tokens,
        output_tokens,
      ]);
    };
    const resumed: CallFacts = { resume: "s1", used };

    test("where a version tells the conversation's", () => {
      for (const claude_code_version of ["2.1.332", "2.1.277", "2.2.0", "3.0.0"])
        expect(told(resumed, { ...init, claude_code_version }, second)).toEqual([[0.0066, 1200, 90]]);
    });
    test("once, where its process tells of two turns", () => {
      const { total_cost_usd, modelUsage, usage } = second;
      const third = {
        ...second,
        total_cost_usd: total_cost_usd + 0.5,
        usage: { ...usage, input_tokens: 10, output_tokens: 5 },
        modelUsage: { m: { ...modelUsage.m, inputTokens: 2410, outputTokens: 185 } },
      };
      expect(told(resumed, carrying, second, third)).toEqual([
        [0.0066, 1200, 90],
        [0.5, 10, 5],
      ]);
    });
    test("but for what a call had used that was killed, which they lack", () => {
      const more = { ...used, input_tokens: 9000, output_tokens: 500 };
      expect(told({ resume: "s1", used: more }, carrying, second)).toEqual([[0.0066, 1200, 90]]);
    });
    test("with what sub-agents used", () => {
      const { m } = second.modelUsage;
      const modelUsage = { m: { ...m, inputTokens: 3000 }, other: { inputTokens: 7, outputTokens: 1 } };
      expect(told(resumed, carrying, { ...second, modelUsage })).toEqual([[0.0066, 1807, 91]]);
    });
    test("nothing of a call that failed before it asked the model", () => {
      const none = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
      const m = { inputTokens: 1200, outputTokens: 90 };
      const failed = { ...second, is_error: true, total_cost_usd: 0.0066, usage: none, modelUsage: { m } };
      expect(told(resumed, carrying, failed)).toEqual([[0, 0, 0]]);
    });
    test("not where they are the call's: of an earlier version, of another conversation, or after its file was lost", () => {
      const own = { ...second, modelUsage: { m: { inputTokens: 1200, outputTokens: 90 } } };
      const older = { ...init, claude_code_version: "2.1.197" };
      const whole = [[0.0132, 2400, 180]];
      expect(told(resumed, older, second)).toEqual(whole);
      expect(told(resumed, { ...init, claude_code_version: "2.1.276" }, second)).toEqual(whole);
      expect(told(resumed, init, second)).toEqual(whole);
      expect(told({ resume: "s0", used }, carrying, second)).toEqual(whole);
      expect(told({ resume: null, used }, carrying, second)).toEqual(whole);
      expect(told(undefined, carrying, second)).toEqual(whole);
      expect(told(resumed, carrying, own)).toEqual([[0.0132, 1200, 90]]);
      expect(told(resumed, carrying, { ...second, total_cost_usd: 0.005 })).toEqual([[0.005, 1200, 90]]);
    });
    test("nor where they began anew, and the call used a second model", () => {
      const { m } = second.modelUsage;
      const other = { inputTokens: 300, outputTokens: 20 };
      const anew = { ...second, modelUsage: { m: { ...m, inputTokens: 1200, outputTokens: 90 }, other } };
      expect(told(resumed, carrying, anew)).toEqual([[0.0132, 1500, 110]]);
      // The model was changed between the calls.
      const changed = { ...anew, modelUsage: { ...anew.modelUsage, other: { inputTokens: 1200, outputTokens: 90 } } };
      expect(told(resumed, carrying, changed)).toEqual([[0.0066, 1200, 90]]);
    });
    test("and no money of a conversation that nobody counted", () => {
      const unknown = { resume: "s1", used: decoderKit.emptyUsage() };
      expect(told(unknown, carrying, second)).toEqual([[null, 1200, 90]]);
      const partly = { ...used, input_tokens: 100, cost_usd: null, estimated_usd: 0.001 };
      expect(told({ resume: "s1", used: partly }, carrying, second)).toEqual([[null, 1200, 90]]);
    });
    test("nor twice of a call that was cut short, whose cost was estimated", () => {
      const cut = (estimated_usd: number, of: object = {}) => ({ ...used, cost_usd: null, estimated_usd, ...of });
      const cost = (of: CallFacts["used"]) => told({ resume: "s1", used: of }, carrying, second)[0]?.[0];
      expect(cost(cut(0.005))).toBeCloseTo(0.0082, 9);
      expect(cost(cut(0.5))).toBe(0);
      // It was killed before the CLI kept what it had used.
      expect(cost({ ...cut(0.005, { input_tokens: 2400 }), cost_usd: 0.0066 })).toBeCloseTo(0.0066, 9);
    });
  });

  test("takes the figures per model if usage has none, or less", () => {
    const byModel = {
      a: { inputTokens: 1000, outputTokens: 50, cacheReadInputTokens: 7, cacheCreationInputTokens: 0, costUSD: 0.006 },
      b: { inputTokens: 200, outputTokens: 10, cacheReadInputTokens: 0, cacheCreationInputTokens: 3, costUSD: 0.001 },
    };
    const empty = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const known = { ...empty, input_tokens: 5, output_tokens: 1 };
    const tokens = (usage: object, modelUsage: unknown) =>
      only(events(init, { ...ok, usage, modelUsage }), "usage").map((event) => [
        event.input_tokens,
        event.output_tokens,
        event.cache_read_tokens,
        event.cache_creation_tokens,
      ]);
    expect(tokens(empty, byModel)).toEqual([[1200, 60, 7, 3]]);
    expect(tokens(known, byModel)).toEqual([[1200, 60, 7, 3]]);
    expect(tokens(empty, undefined)).toEqual([[0, 0, 0, 0]]);
  });

  test("reports the session id once, and again when it changes", () => {
    const all = events(init, delta("x"), { ...ok, session_id: "s2" });
    expect(only(all, "session_id").map((event) => event.session_id)).toEqual(["s1", "s2"]);
  });

  test("looks for the session id in the contract's order", () => {
    const ids = { session_id: "c", metadata: { session_id: "b" }, sessionId: "a" };
    for (const answer of [
      { result: "Done.", ...ids },
      { ...ok, ...ids },
    ])
      expect(only(events(answer), "session_id")).toEqual([{ type: "session_id", session_id: "a" }]);
  });

  test("counts what a cut-off message holds where its usage is only that of its beginning", () => {
    const usage = { input_tokens: 10, output_tokens: 1 };
    const blocks = [
      { type: "thinking", thinking: "t".repeat(400) },
      { type: "text", text: "w".repeat(400) },
      { type: "tool_use", id: "t1", name: "Bash", input: { command: "c".repeat(386) } },
    ];
    const stream = blocks.map((block) => says([block], { id: "m1", usage }));
    expect(only(events(init, ...stream), "usage").map((event) => event.output_tokens)).toEqual([300]);
    const start = { type: "stream_event", event: { type: "message_start", message: { id: "m1", usage } } };
    const delta = { type: "stream_event", event: { type: "message_delta", delta: {}, usage: { output_tokens: 280 } } };
    expect(only(events(init, start, ...stream, delta), "usage").map((event) => event.output_tokens)).toEqual([280]);
    const end = { ...ok, usage: { input_tokens: 10, output_tokens: 290 } };
    expect(only(events(init, ...stream, end), "usage").map((event) => event.output_tokens)).toEqual([290]);
  });

  test("takes usage from the final event, or from the messages when the stream is cut", () => {
    const message = (id: string, output_tokens: number) =>
      says("x", { id, model: "m2", usage: { input_tokens: 10, output_tokens } });
    const seen = [init, message("a", 1), message("a", 4), message("b", 5)];
    expect(only(events(...seen), "usage")).toMatchObject([
      { input_tokens: 20, output_tokens: 9, cost_usd: null, turns: 2, model: "m2" },
    ]);
    const whole = {
      ...ok,
      usage: { input_tokens: 7, output_tokens: 8, cache_read_input_tokens: 9 },
      total_cost_usd: 0.5,
      num_turns: 3,
    };
    expect(only(events(...seen, whole), "usage")).toMatchObject([
      { input_tokens: 7, output_tokens: 8, cache_read_tokens: 9, cost_usd: 0.5, turns: 3, model: "m2" },
    ]);
  });

  test("sums the messages of a cut stream however many they are, each by its last figures", () => {
    const message = (id: number, output_tokens: number) =>
      says("x", { id: `m${id}`, usage: { input_tokens: 10, output_tokens, cache_read_input_tokens: 1 } });
    const seen = Array.from({ length: 500 }, (_, id) => [message(id, 1), message(id - 1, 7), message(id, 5)]).flat();
    expect(only(events(init, ...seen), "usage")).toMatchObject([
      { input_tokens: 5_010, output_tokens: 499 * 7 + 5 + 7, cache_read_tokens: 501, turns: 501 },
    ]);
  });

  test("reports a plan limit only if it is refused and extra usage does not continue", () => {
    const limit = (info: object) => only(events({ type: "rate_limit_event", rate_limit_info: info }), "rate_limited");
    expect(limit({ status: "allowed_warning", resetsAt: 4102444800 })).toEqual([]);
    expect(limit({ status: "rejected", isUsingOverage: true })).toEqual([]);
    expect(limit({ status: "rejected", resetsAt: 4102444800, rateLimitType: "five_hour" })).toEqual([
      {
        type: "rate_limited",
        kind: "usage_limit",
        message: "The five hour limit of the plan is reached.",
        resets_at: "2100-01-01T00:00:00.000Z",
      },
    ]);
  });

  test("waits for the extra usage too, if that comes back before the plan, as the CLI's own words do", () => {
    const resets = (info: object) =>
      only(events({ type: "rate_limit_event", rate_limit_info: { status: "rejected", ...info } }), "rate_limited").map(
        ({ resets_at }) => resets_at,
      );
    const [sooner, later] = [4102444800, 4102448400];
    const [first, second] = ["2100-01-01T00:00:00.000Z", "2100-01-01T01:00:00.000Z"];
    const spent = { overageStatus: "rejected" };
    expect(resets({ ...spent, resetsAt: later, overageResetsAt: sooner })).toEqual([first]);
    expect(resets({ ...spent, resetsAt: sooner, overageResetsAt: later })).toEqual([first]);
    expect(resets({ ...spent, overageResetsAt: later })).toEqual([second]);
    expect(resets({ resetsAt: later, overageResetsAt: sooner })).toEqual([second]);
  });

  test.each<[string, object, ErrorClass]>([
    ["429", { api_error_status: 429 }, "limit"],
    ["401", { api_error_status: 401 }, "auth"],
    ["403", { api_error_status: 403 }, "auth"],
    ["408", { api_error_status: 408 }, "infrastructure"],
    ["413", { api_error_status: 413 }, "context"],
    ["529", { api_error_status: 529 }, "infrastructure"],
    ["no network", { result: "API Error: Unable to connect to API (FailedToOpenSocket)" }, "offline"],
    ["a server that is down", { result: "API Error: Unable to connect to API (ConnectionRefused)" }, "infrastructure"],
    [
      "a model that does not exist",
      { api_error_status: 404, result: "There's an issue with the selected model (x)." },
      "model",
    ],
    [
      "a lost session",
      { subtype: "error_during_execution", errors: ["No conversation found with session ID: x"] },
      "session",
    ],
    [
      "a limit of the CLI's own",
      { subtype: "error_max_budget_usd", errors: ["Reached maximum budget ($1)"] },
      "request",
    ],
  ])("classifies an error: %s", (_, fields, expected) => {
    expect(only(events({ ...ok, is_error: true, ...fields }), "error")).toMatchObject([{ class: expected }]);
  });

  test.each<[string, number | null, ErrorClass]>([
    ["billing_error", 400, "billing"],
    ["rate_limit", null, "limit"],
    ["a code of the future", 413, "context"],
    ["constructor", null, "infrastructure"],
  ])("classifies an error by the CLI's code %s before the status %p", (error, api_error_status, expected) => {
    const said = {
      type: "assistant",
      error,
      message: { model: "<synthetic>", content: [{ type: "text", text: "Oh." }] },
    };
    const all = events(said, { ...ok, is_error: true, api_error_status, result: "Oh." });
    expect(only(all, "error")).toEqual([{ type: "error", class: expected, message: "Oh." }]);
  });

  test("reports an error after a refused limit as the limit, whatever the final event says", () => {
    const refused = { type: "rate_limit_event", rate_limit_info: { status: "rejected" } };
    expect(only(events(refused, { ...ok, is_error: true, api_error_status: null }), "error")).toMatchObject([
      { class: "limit" },
    ]);
  });

  test("takes a model that the plan does not pay for as a bill, not as a limit to wait for", () => {
    const info = { status: "rejected", isUsingOverage: false, errorCode: "credits_required" };
    const refused = (more: object) => ({ type: "rate_limit_event", rate_limit_info: { ...info, ...more } });
    const end = { ...ok, is_error: true, api_error_status: 429, result: "Fable 5 requires usage credits." };
    for (const more of [{}, { rateLimitType: "overage" }]) {
      const all = events(refused(more), end);
      expect(only(all, "rate_limited")).toEqual([]);
      expect(only(all, "error")).toMatchObject([{ class: "billing" }]);
    }
    expect(only(events(refused({ rateLimitType: "seven_day" }), end), "rate_limited")).toHaveLength(1);
  });

  test("takes the claims of old flat answers as the fields of the final event", () => {
    const flat = { status: "COMPLETE", exit_signal: true, work_type: "TESTING" };
    expect(events(flat)).toEqual([
      { type: "finished", ok: true, text: null, fields: flat, duration_ms: null, cost_usd: null },
    ]);
    const inStream = events(init, flat);
    expect(only(inStream, "finished")).toEqual([]);
    expect(only(inStream, "unknown")).toHaveLength(1);
  });

  test("reads each event of an array", () => {
    expect(only(events([init, says("working"), ok]), "text")).toEqual([{ type: "text", text: "working" }]);
  });

  test("reports event types of a future version as unknown and reads on", () => {
    const all = events(
      { type: "hologram" },
      { type: "system", subtype: "mood" },
      says([{ type: "scent" }, { type: "text", text: "Hi" }]),
    );
    expect(only(all, "unknown").map(({ name }) => name)).toEqual(["hologram", "system/mood", "assistant/scent"]);
    expect(only(all, "text")).toHaveLength(1);
  });

  test("gives no event for lines that are not JSON", () => {
    expect(
      decode(claudeCode, ["", "  ", "Warning: x", "{'a':1}", "NaN", "42", "null", '{"type":"assistant","mess']),
    ).toEqual([]);
  });

  test("never throws, whatever JSON it gets", () => {
    const type = fc.constantFrom("assistant", "user", "system", "stream_event", "rate_limit_event", "result");
    const key = fc.constantFrom(
      "message",
      "content",
      "event",
      "delta",
      "usage",
      "permission_denials",
      "errors",
      "subtype",
    );
    fc.assert(
      fc.property(type, fc.dictionary(key, fc.jsonValue()), (kind, fields) => {
        decode(claudeCode, [
          JSON.stringify({ ...fields, type: kind }),
          JSON.stringify({ type: kind, message: fields }),
        ]);
      }),
      { seed },
    );
  });
});
