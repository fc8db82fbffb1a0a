import { expect, test } from "bun:test";
import { looksLikeJsonEvent } from "../../../src/core/text/json-event-text.ts";

test.each([
  '{"type":"result","text":"cut he',
  ' \n [{ "type" : 1',
  '\u001b[2m{"type":1}\u001b[0m',
  `${" ".repeat(20)}{${" ".repeat(20)}"${"a".repeat(60)}"${" ".repeat(20)}:${" ".repeat(100)}`,
  `${"\u001b[1m".repeat(50)}{"type":${" ".repeat(100)}`,
])("%j begins as an event does, cut or not", (text) => expect(looksLikeJsonEvent(text)).toBe(true));

test.each(["", "Error: {", 'Error: {"type":1}', "{type: 1}", '{"a b": 1}', '["a"]'])("%j begins as no event", (text) =>
  expect(looksLikeJsonEvent(text)).toBe(false),
);
