import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import opencode from "../../drivers/opencode.ts";
import type { ErrorClass } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { seed } from "../seed.ts";
import { decode, decodeObjects, only } from "./recordings/recordings.ts";

const events = (...lines: unknown[]) => decodeObjects(opencode, lines);
const part = (type: string, fields: object) => ({ type, timestamp: 1, sessionID: "ses_1", part: fields });
const start = part("step_start", {});
const says = (text: string) => part("text", { text });
const finish = (reason: string, more: object = {}) => part("step_finish", { reason, ...more });
const tool = (name: string, state: object) => part("tool_use", { tool: name, callID: "c1", state });
const error = (name: string, data: object) => ({ type: "error", sessionID: "ses_1", error: { name, data } });
const endings = (...lines: unknown[]) => only(events(...lines), "finished").map(({ ok, text }) => [ok, text]);

describe("the decoder of OpenCode", () => {
  test("reports a call with its result, and its refusal if there was one", () => {
    const refused = "The user rejected permission to use this specific tool call.";
    const state = { status: "error", input: { command: "ls" }, error: refused };
    expect(events(tool("bash", state)).slice(1)).toEqual([
      { type: "tool_use", tool_id: "c1", tool: "Bash", input: { command: "ls", description: null } },
      { type: "denied", tool: "Bash", command: "ls", tool_use_id: "c1" },
      { type: "tool_result", tool_use_id: "c1", content: refused, is_error: true },
    ]);
    const fine = events(tool("read", { status: "completed", input: { filePath: "a" }, output: "x" }));
    expect(only(fine, "denied")).toEqual([]);
    expect(only(fine, "tool_result")).toMatchObject([{ content: "x", is_error: false }]);
  });

  test("takes a step that stops for a complete answer, until another one begins", () => {
    const complete = (...lines: unknown[]) => only(events(...lines), "complete").map(({ over }) => over);
    expect(complete(start, says("Done."), finish("stop"))).toEqual([true]);
    expect(complete(start, says("Hm."), finish("tool-calls"), start)).toEqual([]);
    const summary = [start, says("A summary."), finish("stop"), part("text", { text: "Continue.", synthetic: true })];
    expect(complete(...summary, start, says("Done."), finish("stop"))).toEqual([true, null, true]);
  });

  test("ignores a refusal that the agent quotes", () => {
    const said = "Log: The user rejected permission to use this specific tool call.";
    expect(only(events(tool("bash", { status: "error", error: said })), "denied")).toEqual([]);
  });

  test("lets the last step decide at the end of the stream", () => {
    const refusal = { status: "error", error: "The user has specified a rule which prevents you from using this" };
    expect(endings(start, says("Hm."), finish("tool-calls"), start, says("Done."), finish("stop"))).toEqual([
      [true, "Done."],
    ]);
    expect(endings(start, says("Hm."), finish("tool-calls"))).toEqual([]);
    expect(endings(start, says("Hm."), tool("edit", refusal), finish("tool-calls"))).toEqual([[true, null]]);
    expect(endings(start, says("Hm."), finish("length"))).toEqual([[false, "Hm."]]);
    expect(endings(start, finish("stop"), start)).toEqual([]);
  });

  test.each(["unknown", "other"])(
    "takes an answer that the provider ended for the reason %s as complete, if nothing follows",
    (reason) => {
      // OpenCode ends the turn there and exits with 0; some providers end every answer so (anomalyco/opencode#43622, #19339).
      const complete = (...lines: unknown[]) => only(events(...lines), "complete").map(({ over }) => over);
      const answered = [start, says("Done."), finish(reason)];
      expect([complete(...answered), endings(...answered), only(events(...answered), "error")]).toEqual([
        [false],
        [],
        [],
      ]);
      // More steps may follow, and an answer without words is none.
      expect(complete(...answered, start)).toEqual([false, null]);
      const silent = [start, tool("bash", { status: "completed" }), finish(reason)];
      expect([complete(...silent), endings(...silent)]).toEqual([[], [[false, null]]]);
    },
  );

  test("does not end at a step with stop, because a summary may come before the rest", () => {
    const decoder = opencode.decoder?.(decoderKit);
    const summary = [start, says("A summary."), finish("stop")].map((line) => JSON.stringify(line));
    expect(
      only(
        summary.flatMap((line) => decoder?.line(line) ?? []),
        "finished",
      ),
    ).toEqual([]);
    const goOn = part("text", { text: "Go on.", synthetic: true, metadata: { compaction_continue: true } });
    const all = [start, says("A summary."), finish("stop"), goOn, start, says("Done."), finish("stop")];
    expect(endings(...all)).toEqual([[true, "Done."]]);
    expect(only(events(...all), "text").map(({ text }) => text)).toEqual(["A summary.", "Done."]);
    expect(endings(...all.slice(0, 4))).toEqual([]);
  });

  test("reports an overlong conversation as an error until its turn ends after all", () => {
    const tooLong = error("ContextOverflowError", { message: "prompt is too long" });
    const summary = [tooLong, start, says("A summary."), finish("stop")];
    const goOn = part("text", { text: "Go on.", synthetic: true });
    expect(only(events(...summary), "error")).toMatchObject([{ class: "context" }]);
    expect(endings(...summary)).toEqual([[false, null]]);
    expect(only(events(...summary), "text")).toEqual([]);
    expect(endings(...summary, goOn, start, says("Done."), finish("stop"))).toEqual([[true, "Done."]]);
  });

  test("ends when even the summary is too long, before the CLI repeats everything", () => {
    const tooLong = JSON.stringify(error("ContextOverflowError", { message: "prompt is too long" }));
    const summary = [start, says("A summary."), finish("stop"), part("text", { synthetic: true })].map((line) =>
      JSON.stringify(line),
    );
    const decoder = opencode.decoder?.(decoderKit);
    const read = (...all: string[]) => all.flatMap((line) => decoder?.line(line) ?? []);
    expect(only(read(tooLong, ...summary), "finished")).toEqual([]);
    const hopeless = read(tooLong);
    expect(only(hopeless, "error")).toMatchObject([{ class: "context" }]);
    expect(only(hopeless, "finished")).toMatchObject([{ ok: false }]);
    expect([...read(...summary, tooLong), ...(decoder?.end() ?? [])].filter(({ type }) => type === "finished")).toEqual(
      [],
    );
  });

  test("reports tokens and cost of each step, with reasoning as output", () => {
    const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 3, write: 4 } };
    expect(only(events(finish("tool-calls", { tokens, cost: 0.5 }), finish("stop", {})), "usage")).toMatchObject([
      { input_tokens: 10, output_tokens: 7, cache_read_tokens: 3, cache_creation_tokens: 4, cost_usd: 0.5, turns: 1 },
      { input_tokens: null, output_tokens: null, cost_usd: null, turns: 1 },
    ]);
  });

  test.each<[string, object, ErrorClass]>([
    ["APIError", { statusCode: 429 }, "limit"],
    ["APIError", { statusCode: 401 }, "auth"],
    ["APIError", { statusCode: 401, message: "Insufficient balance" }, "billing"],
    ["APIError", { statusCode: 400, message: "Your credit balance is too low to access the API." }, "billing"],
    ["APIError", { statusCode: 404 }, "request"],
    ["UnknownError", { message: "Free usage exceeded, subscribe to go on." }, "limit"],
    ["APIError", { statusCode: 408 }, "infrastructure"],
    ["APIError", { message: "Cannot connect to API: getaddrinfo ENOTFOUND api.example" }, "offline"],
    ["APIError", { message: "Cannot connect to API: The socket connection was closed" }, "infrastructure"],
    ["ProviderAuthError", { message: "no key" }, "auth"],
    ["ProviderModelNotFoundError", {}, "model"],
    ["UnknownError", { message: "Session not found" }, "session"],
  ])("classifies the error %p %p as %p", (name, data, expected) => {
    expect(only(events(error(name, data)), "error")).toMatchObject([{ class: expected }]);
    expect(endings(error(name, data))).toEqual([[false, null]]);
  });

  test.each<[string, string, ErrorClass]>([
    ["recorded from 1.18.33", '{"message":"Overloaded","type":"overloaded_error","param":null}', "infrastructure"],
    ["within another", '{"type":"error","error":{"type":"x","message":"Overloaded"}}', "infrastructure"],
    ["known by its type", '{"type":"insufficient_quota","message":"Overloaded"}', "billing"],
  ])("reads an error inside the stream in its own words: %s", (_, message, expected) => {
    const all = events(error("UnknownError", { message }));
    expect(only(all, "error")).toMatchObject([{ message: "Overloaded", class: expected }]);
  });

  test("leaves an error that has JSON without a message as it is", () => {
    const message = '{"code":"bad_thing"}';
    expect(only(events(error("UnknownError", { message })), "error")).toMatchObject([{ message }]);
  });

  describe("with the log on stderr", () => {
    const lines = (...all: object[]) => all.map((line) => JSON.stringify(line));
    const streamError = (time: string, message: string, more = "small=false") =>
      `timestamp=${time} level=ERROR run=1 message="stream error" ${more} agent=build error.error="AI_APICallError: ${message}"`;
    const at = (time: string) => ({ ...start, timestamp: Date.parse(time) });
    const early = "2026-11-22T05:00:00.000Z";
    const late = "2026-11-22T05:30:00.000Z";

    test("gives the error of a call that was ended while the CLI retried silently", () => {
      const said = decode(opencode, [], [streamError(late, 'Monthly \\"go\\" usage limit reached.')]);
      expect(said).toEqual([{ type: "error", message: 'Monthly "go" usage limit reached.', class: "limit" }]);
      const amidst = lines(at(early), tool("bash", {}), finish("tool-calls"), at(early));
      expect(decode(opencode, amidst, [streamError(late, "Overloaded")]).at(-1)).toMatchObject({
        class: "infrastructure",
      });
    });

    test.each([
      ["an error that was overcome", lines(at(late)), streamError(early, "Too Many Requests")],
      ["an error of the title's request", lines(at(early)), streamError(late, "Too Many Requests", "small=true")],
      ["a line of another program", [], "level=ERROR the limit is reached"],
      ["a turn that ended well after all", lines(at(early), finish("stop")), streamError(late, "Too Many Requests")],
    ])("gives no error for %s", (_, output, line) =>
      expect(only(decode(opencode, output, [line]), "error")).toEqual([]),
    );

    // As logged by 1.18.33 for an error that comes inside the stream: no key `error` holds all of it.
    test.each([
      ["error.error.type=overloaded_error error.error.message=Overloaded", "infrastructure"],
      ["error.error.message=Overloaded error.error.type=overloaded_error error.error.code=x", "infrastructure"],
      ["error.error.type=response.failed error.error.response.error.message=Overloaded x=1", "infrastructure"],
      ['error.error.message="Monthly \\"go\\" usage limit reached." error.error.type=x', "limit"],
    ])("gives the error that broke a stream off: %s", (fields, expected) => {
      const line = `timestamp=${late} level=ERROR run=1 message="stream error" small=false agent=build ${fields}`;
      // What the broken stream brought is reported just after its error is logged.
      const output = lines({ ...says("Partial"), timestamp: Date.parse(late) + 20 });
      expect(decode(opencode, output, [line]).at(-1)).toMatchObject({ type: "error", class: expected });
    });

    test("gives the cause of an error that OpenCode did not expect", () => {
      const hidden = error("UnknownError", { message: "Unexpected server error. Check server logs.", ref: "err_2" });
      const logged = (ref: string, message: string) =>
        `timestamp=${early} level=ERROR run=1 message=failed ref=${ref} error="ProviderModelNotFoundError: ${message}" cause="x"`;
      const log = [logged("err_2", "Model not found: a/b."), logged("err_3", "Another.")];
      expect(only(decode(opencode, lines(hidden), log), "error")).toEqual([
        { type: "error", message: "Model not found: a/b.", class: "model" },
      ]);
      expect(only(decode(opencode, lines(hidden), []), "error")).toMatchObject([{ class: "infrastructure" }]);
    });
  });

  test("reports event types of a future version as unknown and reads on", () => {
    const all = events({ type: "hologram", sessionID: "ses_1" }, { x: 1 }, start, says("Hi"), finish("stop"));
    expect(only(all, "unknown").map(({ name }) => name)).toEqual(["hologram", "object without a type"]);
    expect(only(all, "session_id")).toHaveLength(1);
    expect(only(all, "finished")).toMatchObject([{ ok: true, text: "Hi" }]);
  });

  test("never throws, whatever JSON it gets", () => {
    const type = fc.constantFrom("text", "tool_use", "step_start", "step_finish", "error", "reasoning");
    const key = fc.constantFrom("part", "state", "tokens", "error", "data", "text", "input", "tool", "reason");
    fc.assert(
      fc.property(type, fc.dictionary(key, fc.jsonValue()), (event, fields) => {
        events({ ...fields, type: event }, { type: event, part: fields, error: fields });
      }),
      { seed },
    );
  });
});
