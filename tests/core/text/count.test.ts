import { expect, test } from "bun:test";
import { count } from "../../../src/core/text/count.ts";

test.each([
  [0, "0 boxes"],
  [1, "1 box"],
  [2, "2 boxes"],
])("words follow the number: %d", (n, text) => expect(count(n, "box", "boxes")).toBe(text));

test("the plural adds an s where none is given", () =>
  expect([count(1, "call"), count(3, "call")]).toEqual(["1 call", "3 calls"]));
