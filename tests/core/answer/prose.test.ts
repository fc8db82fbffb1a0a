import { expect, test } from "bun:test";
import { extractProse } from "../../../src/core/answer/prose.ts";

const prose = (text: string) => extractProse(text.split("\n")).join("|");

test.each([
  ["code in a fence", "a\n```ts\nb\n```\nc", "a||||c"],
  ["a fence opened by a list item", "- ```\nb\n  ```\nc", "|||c"],
  ["three backticks on both sides of a line, which hide nothing below", "```npm test```\nc", "   |c"],
  ["a fence with a language, which closes no other", "```\na\n```ts\nb\n```\nc", "|||||c"],
  ["a longer fence around a shorter one", "````\n```\na\n```\n````\nc", "|||||c"],
])("the prose is extracted from: %s", (_, text, words) => expect(prose(text)).toBe(words));
