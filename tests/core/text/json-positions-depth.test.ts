import { expect, test } from "bun:test";
import { locateJson } from "../../../src/core/text/json-positions.ts";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

test.each([
  ["lists", lists],
  ["objects", objects],
])("a JSON document of %s may nest 100 levels deep, not more", (_, nested) => {
  expect(locateJson(nested(100)).broken).toBeNull();
  expect(locateJson(nested(102)).broken).toBe(1);
});
