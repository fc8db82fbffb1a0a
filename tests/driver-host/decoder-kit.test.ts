import { describe, expect, test } from "bun:test";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { textDecoder } from "../../src/driver-host/text-decoder.ts";

describe("the helpers of decoders", () => {
  test.each<[unknown, string | null]>([
    [4102444800, "2100-01-01T00:00:00.000Z"],
    [4102444800000, "2100-01-01T00:00:00.000Z"],
    ["4102444800", "2100-01-01T00:00:00.000Z"],
    ["2100-01-01T01:00:00+01:00", "2100-01-01T00:00:00.000Z"],
    ["tomorrow", null],
    ["May", null],
    ["", null],
    [0, null],
    [-1, null],
    [Number.MAX_VALUE, null],
    [null, null],
    [{}, null],
  ])("read the time of %p as %p", (value, expected) => expect(decoderKit.time(value)).toBe(expected));

  test.each<[Record<string, unknown>, string | null]>([
    [{ session_id: "c", metadata: { session_id: "b" }, sessionId: "a" }, "a"],
    [{ session_id: "c", metadata: { session_id: "b" } }, "b"],
    [{ session_id: "c", metadata: {} }, "c"],
    [{ session_id: "c", metadata: { session_id: 7 }, sessionId: "" }, "c"],
    [{ metadata: "b" }, null],
  ])("find the session id of %j: %p", (answer, id) => expect(decoderKit.sessionId(answer)).toBe(id));

  test.each([
    ["limit", [429]],
    ["auth", [401, 403]],
    ["billing", [402]],
    ["context", [413]],
    ["request", [400, 404, 422, 499]],
    ["infrastructure", [0, 302, 408, 500, 502, 503, 529]],
  ] as const)("give the class %s to the HTTP statuses %p", (expected, statuses) => {
    expect(statuses.map(decoderKit.httpClass)).toEqual(statuses.map(() => expected));
  });

  test.each([
    ["Your credit balance is too low.", 400, "billing"],
    ["You exceeded your current quota, please check your plan.", 429, "billing"],
    ["Prompt is too long", 429, "context"],
    ["Invalid API key", 429, null],
    ["fetch failed", 500, null],
    ["fetch failed", null, "infrastructure"],
    ["usage limit reached", null, "limit"],
    ["Token refresh failed: 401", null, null],
    ["HTTP 403", null, null],
    ["something odd", null, null],
  ] as const)("know the words %j beside the status %p: %p", (message, status, expected) =>
    expect(decoderKit.wordsClass(message, status)).toBe(expected),
  );

  test("distinguish strings, numbers and objects from everything else", () => {
    const values = ["a", 1, Number.NaN, null, [], {}];
    expect(values.map(decoderKit.str)).toEqual(["a", null, null, null, null, null]);
    expect(values.map(decoderKit.num)).toEqual([null, 1, null, null, null, null]);
    expect(values.map((value) => decoderKit.isRecord(value))).toEqual([false, false, false, false, false, true]);
    expect(["a", null, [{ a: 1 }], { a: 1 }].map(decoderKit.fields)).toEqual([{}, {}, {}, { a: 1 }]);
    expect(["a", null, [{ a: 1 }, "b", []], { a: 1 }].map(decoderKit.records)).toEqual([[], [], [{ a: 1 }], []]);
  });
});

describe("plain text output", () => {
  test("is one block and the final answer", () => {
    const decoder = textDecoder();
    expect(["One", "", "Two"].flatMap((line) => decoder.line(line))).toEqual([]);
    expect(decoder.end()).toEqual([
      { type: "text", text: "One\n\nTwo" },
      { type: "finished", ok: true, text: "One\n\nTwo", duration_ms: null, cost_usd: null },
    ]);
  });

  test("is what stands in a frame that the CLI draws around it, as OpenHands does (OpenHands/OpenHands-CLI#317)", () => {
    const decoder = textDecoder();
    const framed = [
      "Last message sent by the agent:",
      "╭─ Agent ────────────────────────╮",
      "│ \u001b[1m---RALPH_STATUS---\u001b[0m             │",
      "\u001b[36m│\u001b[0m   STATUS: COMPLETE             \u001b[36m│\u001b[0m\r",
      "│                                │",
      "╰────────────────────────────────╯",
      "a │ b",
    ];
    for (const line of framed) decoder.line(line);
    const text = [framed[0], framed[1], "---RALPH_STATUS---", "  STATUS: COMPLETE", "", framed[5], framed[6]].join(
      "\n",
    );
    expect(decoder.end()[0]).toEqual({ type: "text", text });
  });

  test("gives no event when it is blank", () => {
    const decoder = textDecoder();
    decoder.line("  ");
    expect(decoder.end()).toEqual([]);
  });
});
