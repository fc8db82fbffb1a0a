import { describe, expect, test } from "bun:test";
import { finalText } from "../../../src/core/answer/collected-output.ts";
import { decoderKit } from "../../../src/driver-host/decoder-kit.ts";
import { createFormatDetector } from "../../../src/driver-host/recorded/format-detector.ts";
import { recordedReader } from "../../../src/driver-host/recorded/recorded-output.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";
import { readRecorded as read } from "./read-recorded.ts";

const ID = "0f8e7d6c-1234-4abc-9def-001122334455";
const TEXT = { type: "assistant", message: { id: "m", model: "x", content: [{ type: "text", text: "On." }] } };
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Over.", session_id: ID };
const LONG = 1000;

function stream(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

describe("reading a long recording", () => {
  const long = stream(...Array(LONG).fill(TEXT), RESULT);
  const pretty = JSON.stringify([...Array(LONG).fill(TEXT), RESULT], null, 1);
  const spread = `[\n${[...Array(LONG).fill(TEXT), RESULT].map((value) => JSON.stringify(value)).join(",\n")}\n]\n`;
  const noise = "noise\n".repeat(2 * LONG);
  const events = LONG + 1;
  const shapes: [string, string, string, number][] = [
    ["of events", long, "jsonl", events],
    ["that begins with noise", noise + long, "jsonl", events],
    ["that ends with noise", long + noise, "jsonl", events],
    ["as a pretty array", pretty, "json_array", events],
    ["as an array with a line for each event", spread, "json_array", events],
    ["with CRLF", long.replaceAll("\n", "\r\n"), "jsonl", events],
    ["with a blank line after each", long.replaceAll("\n", "\n\n"), "jsonl", events],
    ["with two events a line", long.replace(/\n(.+\n)/g, "$1"), "jsonl", events],
  ];
  for (const [what, text, format, count] of shapes) {
    test(what, () => {
      const recorded = read(text);
      expect([recorded.format, recorded.events, recorded.unknownEvents]).toEqual([format as "jsonl", count, 0]);
      expect(recorded.driver).toBe("claude-code");
      expect(finalText(recorded.output)).toBe("Over.");
    });
  }

  test("identifies a CLI by its later events", () => {
    const late = { type: "tool_call", subtype: "started", tool_call: {} };
    expect(read(stream(...Array(150).fill(TEXT), late, ...Array(LONG).fill(TEXT))).driver).toBe("cursor");
  });

  test("treats text that mostly quotes JSON as text", () => {
    const quoting = `${stream(...Array(LONG).fill({ a: 1 }))}${"Said so.\n".repeat(LONG + 1)}`;
    expect(read(quoting).format).toBe("text");
  });

  test("keeps the last of several flat answers", () => {
    const { output, driver } = read(stream(...Array(LONG).fill({ status: "IN_PROGRESS" }), { status: "COMPLETE" }));
    expect([driver, output.fields.status]).toEqual([null, "COMPLETE"]);
  });

  test("takes the last stray lines as the error of a call that failed without an error event", () => {
    const { output } = read(
      `${stream(...Array(LONG).fill(TEXT))}${"noise\n".repeat(30)}API Error: Unable to connect\n`,
      { exitCode: 1 },
    );
    expect(output.error?.message.split("\n")).toEqual([...Array(19).fill("noise"), "API Error: Unable to connect"]);
    expect(output.error?.class).toBe("infrastructure");
  });
});

test("JSON Lines of a known CLI are parsed once each", () => {
  let parsed = 0;
  const json: typeof decoderKit.json = (line) => {
    parsed += 1;
    return decoderKit.json(line);
  };
  const reader = recordedReader({ drivers: BUILT_IN_DRIVERS, kit: { ...decoderKit, json } });
  for (let n = 0; n < LONG; n += 1) reader.line(`{"type":"user","n":${n}}`);
  expect(reader.end().events).toBe(LONG);
  // The first ones are buffered and parsed twice.
  expect(parsed).toBeLessThan(LONG + 250);
});

describe("the buffer before the format is known", () => {
  const detectorWith = (bound: number, lines: readonly string[]) => {
    const detector = createFormatDetector(decoderKit, bound);
    lines.forEach(detector.add);
    return detector;
  };

  test("keeps only the end of longer text", () => {
    const detector = detectorWith(1000, [...Array(500).fill("a line of text"), "the last"]);
    expect(detector.lines().join("").length).toBeLessThan(1000);
    expect(detector.parse()).toMatchObject({ format: "text", objects: [] });
    expect(detector.lines().at(-1)).toBe("the last");
  });
  test("keeps a single longer line in full", () => {
    expect(detectorWith(1000, ["x".repeat(5000)]).parse().lines).toEqual(["x".repeat(5000)]);
  });
  test("gives way to JSON Lines for objects of no known CLI", () => {
    const detector = detectorWith(1000, Array(200).fill('{"status":"COMPLETE"}'));
    expect([detector.areJsonLines(), detector.lines().length]).toEqual([true, 200]);
    expect(detectorWith(1_000_000, Array(200).fill('{"status":"COMPLETE"}')).areJsonLines()).toBe(false);
  });
});
