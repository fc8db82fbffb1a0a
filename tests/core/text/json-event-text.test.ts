import { expect, test } from "bun:test";
import { looksLikeJsonEvent } from "../../../src/core/text/json-event-text.ts";

test.each([
  '{"type":"result","text":"cut he',
  ' \n [{ "type" : 1',
  '\u001b[2m{"type":1}\u001b[0m',
  `${" ".repeat(20)}{${" ".repeat(20)}"${"a".repeat(60)}"${" ".repeat(20)}:${" ".repeat(100)}`,
  `${"\u001b[1m".repeat(50)}{"type":${" ".repeat(100)}`,
])("the text %j looks like a JSON event, truncated or not", (text) => expect(looksLikeJsonEvent(text)).toBe(true));

test.each(["", "Error: {", 'Error: {"type":1}', "{type: 1}", '{"a b": 1}', '["a"]'])(
  "the text %j does not look like a JSON event",
  (text) => expect(looksLikeJsonEvent(text)).toBe(false),
);
