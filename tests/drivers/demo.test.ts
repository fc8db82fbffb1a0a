import { expect, test } from "bun:test";
import demo from "../../drivers/demo.ts";
import type { CommandRequest } from "../../src/driver.ts";
import { decode } from "./recordings/recordings.ts";
import { requestOf } from "./request.ts";

const request = requestOf({ binary: ["bun", "main.ts"], prompt: "Go on.", newSessionId: "new" });

test.each<[Partial<CommandRequest>, string]>([
  [{}, "bun main.ts __demo-agent --session-id new --output-format json"],
  [{ resume: "old", partial: true }, "bun main.ts __demo-agent --resume old --output-format json --partial"],
  [{ format: "text", readOnly: true }, "bun main.ts __demo-agent --session-id new --output-format text --read-only"],
])("the demo agent is called with %o as `%s`, the prompt on stdin", (change, words) => {
  const { argv, stdin } = demo.buildCommand({ ...request, ...change });
  expect([argv.join(" "), stdin]).toEqual([words, "Go on."]);
});

test("the demo decoder gives no event for other lines, reports unknown events and leaves missing fields empty", () => {
  expect(decode(demo, ["", "text", "42"])).toEqual([]);
  expect(decode(demo, ['{"type":"x"}', "{}"])).toEqual([
    { type: "unknown", name: "x" },
    { type: "unknown", name: "object without a type" },
  ]);
  expect(decode(demo, ['{"type":"error","class":"odd"}', '{"type":"finished"}'])).toEqual([
    { type: "error", message: "", class: "infrastructure" },
    { type: "finished", ok: false, text: null, duration_ms: null, cost_usd: null },
  ]);
});
