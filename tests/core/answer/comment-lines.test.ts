import { expect, test } from "bun:test";
import { commentedLines } from "../../../src/core/answer/comment-lines.ts";

test.each<[string, string, number[]]>([
  ["a comment over lines hides each of them", "a\n<!-- b\nc\nd -->\ne", [1, 2, 3]],
  ["one that ends on its own line hides nothing", "<!-- a -->\nb\n-->", []],
  ["one that is never closed hides nothing", "<!-- a\nb", []],
  ["of two on a line the last one goes on", "<!-- a --> <!-- b\nc -->\nd", [0, 1]],
  ["one that begins where another ends hides on", "<!-- a\n--> <!-- b\nc -->", [0, 1, 2]],
  ["one in inline code hides nothing", "write `<!-- a` here\nb -->", []],
  ["one after inline code hides what follows", "write `x` <!-- a\nb -->", [0, 1]],
])("commentedLines: %s", (_, text, hidden) => expect([...commentedLines(text.split("\n"))]).toEqual(hidden));
