/** How each driver reads its agent's recorded output, however its bytes are split, and input that is not output at all. */

import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { AgentEvent, Driver } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { createLineSplitter } from "../../src/effects/process/line-splitter.ts";
import { only, type Recording, recordings } from "../drivers/recordings/recordings.ts";
import { seed } from "../seed.ts";
import { folder, subjects } from "./subjects.ts";

const dir = folder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const all = await subjects(dir);

const TYPES = [
  ...["text", "partial", "tool_use", "tool_result", "denied", "rate_limited", "session_id", "usage", "retry"],
  ...["complete", "finished", "error", "ignored", "unknown"],
];
const CLASSES = [
  ...["auth", "billing", "model", "limit", "request", "session", "context", "infrastructure", "offline", "config"],
];
const TOOLS = ["Read", "Edit", "Write", "Bash", "Glob", "Grep", "Other"];

function eventsOf(driver: Driver, chunks: readonly Uint8Array[]): AgentEvent[] {
  const splitter = createLineSplitter();
  const decoder = driver.decoder?.(decoderKit);
  if (decoder === undefined) throw new Error(`${driver.name} has no decoder`);
  const lines = [...chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk))), ...splitter.end()];
  return [...lines.flatMap((line) => decoder.line(line)), ...decoder.end()];
}

const linesOf = (driver: Driver, ...lines: string[]) => eventsOf(driver, [Buffer.from(`${lines.join("\n")}\n`)]);

/** The faults in the shape of an event. */
function faults(event: AgentEvent): string[] {
  const wrong = [
    !TYPES.includes(event.type) && "a type that nobody knows",
    (event.type === "text" || event.type === "partial") && event.text === "" && "an empty text",
    event.type === "session_id" && !/^[^\s-]\S*$/.test(event.session_id) && "an invalid id",
    event.type === "tool_use" && !TOOLS.includes(event.tool) && "a tool that is not canonical",
    event.type === "error" &&
      (!CLASSES.includes(event.class) || event.message.trim() === "") &&
      "an error without words",
    event.type === "rate_limited" &&
      event.resets_at !== null &&
      Number.isNaN(Date.parse(event.resets_at)) &&
      "an invalid time",
    Object.values(event).some((value) => value === undefined) && "a field that is undefined",
    JSON.stringify(JSON.parse(JSON.stringify(event))) !== JSON.stringify(event) && "a value that is no JSON",
  ];
  return wrong.filter((one) => one !== false).map((one) => `${one}: ${JSON.stringify(event).slice(0, 200)}`);
}

/** A recording with its bytes split, with Windows line ends, and without its last line end. */
function variants({ bytes }: Recording): readonly (readonly [string, Uint8Array[]])[] {
  const text = bytes.toString();
  const size = Math.max(1, Math.floor(bytes.length / 97));
  const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return [
    ["cut into 97 pieces", cut],
    ["with line ends of Windows", [Buffer.from(text.replaceAll("\n", "\r\n"))]],
    ["without its last line end", [Buffer.from(text.replace(/\n$/, ""))]],
  ];
}

const recorded = all.flatMap((subject) =>
  subject.recordings === null ? [] : [{ ...subject, recordings: subject.recordings }],
);

describe.each(recorded)("$name reading recordings", ({ driver, recordings: cli, name }) => {
  const runs = recordings(cli).filter(({ bytes }) => bytes.length > 0);

  test("has more than 10 of them", () => expect(runs.length).toBeGreaterThan(10));

  test.each(runs)("$name: knows every event and gives it its shape", ({ bytes }) => {
    const events = eventsOf(driver, [bytes]);
    expect(events.flatMap(faults)).toEqual([]);
    expect(only(events, "unknown")).toEqual([]);
    for (const { session_id } of only(events, "session_id")) expect(isSessionId(driver, session_id)).toBe(true);
  });

  test.each(runs)("$name: says that the turn is over only where no work follows", ({ bytes }) => {
    let isOver = false;
    for (const event of eventsOf(driver, [bytes])) {
      if (event.type === "complete") isOver = event.over === true;
      if (isOver) expect(["text", "partial", "tool_use", "tool_result"]).not.toContain(event.type);
    }
  });

  test.each(runs)(
    "$name: reports success only if the program exited with 0, and a failure only with an error",
    ({ bytes, exitCode }) => {
      const events = eventsOf(driver, [bytes]);
      const last = only(events, "finished").at(-1);
      if (last?.ok === true) expect([0, null]).toContain(exitCode);
      if (last?.ok === false && !name.endsWith("bash")) expect(only(events, "error").length).toBeGreaterThan(0);
    },
  );

  test.each(runs)("$name: gives the same events however the bytes arrive", (recording) => {
    const whole = JSON.stringify(eventsOf(driver, [recording.bytes]));
    for (const [, chunks] of variants(recording)) expect(JSON.stringify(eventsOf(driver, chunks))).toBe(whole);
  });

  test("gives the same events for the shortest, split at any byte", () => {
    const shortest = runs.toSorted((a, b) => a.bytes.length - b.bytes.length)[0];
    if (shortest === undefined) throw new Error("no recording");
    const { bytes } = shortest;
    const whole = JSON.stringify(eventsOf(driver, [bytes]));
    for (let at = 0; at <= bytes.length; at++) {
      expect(JSON.stringify(eventsOf(driver, [bytes.subarray(0, at), bytes.subarray(at)]))).toBe(whole);
    }
  });
});

describe.each(all)("$name reading other input", ({ driver }) => {
  test("gives well-formed events for lines that are not its agent's", () => {
    const odd = [
      "",
      " ",
      "\0",
      "null",
      "[]",
      "{}",
      "{",
      "[1,2]",
      '"text"',
      "\u001b[31mred\u001b[0m",
      '{"type":7}',
      "-",
    ];
    expect(linesOf(driver, ...odd).flatMap(faults)).toEqual([]);
  });

  test("reports an event type of a future version as unknown", () => {
    const events = linesOf(driver, '{"type":"hologram.started","kind":"hologram","sessionID":"ses_x"}');
    // The filter of that driver may know what ralph does not.
    if (driver.name !== "every-hook") expect(only(events, "unknown")).toHaveLength(1);
  });

  test("never throws, whatever JSON it gets", () => {
    const key = fc.constantFrom(
      "type",
      "message",
      "content",
      "data",
      "item",
      "part",
      "error",
      "usage",
      "result",
      "event",
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom("assistant", "result", "item.completed", "text"),
    );
    const line = fc.dictionary(key, value).map((json) => JSON.stringify(json));
    const filtered = driver.name === "every-hook";
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        linesOf(driver, ...lines);
      }),
      { seed, numRuns: filtered ? 3 : 100 },
    );
  });

  test("gives nothing for empty output", () => {
    expect(only(eventsOf(driver, []), "finished").filter(({ ok }) => ok)).toEqual([]);
  });
});
