import { expect, test } from "bun:test";
import fc from "fast-check";
import { locateJson } from "../../../src/core/text/json-positions.ts";
import { seed } from "../../seed.ts";

const DOCUMENT = '{\n  "iterations": [\n    {"text": "a"},\n    {\n      "tick": -1\n    }\n  ]\n}\n';

test.each([
  ["iterations", 2],
  ["iterations.0.text", 3],
  ["iterations.1", 4],
  ["iterations.1.tick", 5],
  ["iterations.1.write.src", 4],
  ["nothing", 1],
])("the JSON path %s is in line %i", (path, line) => expect(locateJson(DOCUMENT).lineOf(path)).toBe(line));

test.each([
  ["", 1],
  ["{", 1],
  ['{\n"a": 1,\n}', 3],
  ['{\n"a": 1\n"b": 2}', 3],
  ['["a\nb"]', 1],
  ["[1,\n\n01]", 3],
  ["{} x", 1],
  ["[".repeat(120), 1],
])("the invalid JSON %j is broken in line %i", (text, line) => expect(locateJson(text).broken).toBe(line));

test("locateJson finds a broken line exactly if JSON.parse refuses the text", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", '"', "x", "TRUE", "1E5"), (json, where, junk) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + junk + json.slice(at);
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(locateJson(text).broken === null).toBe(parses);
    }),
    { seed },
  );
});
