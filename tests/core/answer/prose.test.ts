import { expect, test } from "bun:test";
import { extractProse } from "../../../src/core/answer/prose.ts";

const prose = (text: string) => extractProse(text.split("\n")).join("|");

test.each([
  ["code in a fence is no prose", "a\n```ts\nb\n```\nc", "a||||c"],
  ["a fence that a list item opens is one", "- ```\nb\n  ```\nc", "|||c"],
  ["code between three backticks on one line hides nothing below it", "```npm test```\nc", "   |c"],
  ["a fence with a language closes no other", "```\na\n```ts\nb\n```\nc", "|||||c"],
  ["a longer fence holds a shorter one", "````\n```\na\n```\n````\nc", "|||||c"],
])("%s", (_, text, words) => expect(prose(text)).toBe(words));
