import { expect, test } from "bun:test";
import fc from "fast-check";
import { locateJson } from "../../../src/core/text/json-positions.ts";
import { memberEdit, withEdits } from "../../../src/core/text/text-edits.ts";
import { seed } from "../../seed.ts";

function withMember(text: string, path: (string | number)[], member: [string, string | boolean]): string | null {
  const edit = memberEdit(text, locateJson(text), path, member);
  return edit === null ? null : withEdits(text, [edit]);
}

test.each([
  ['{"a": false}', [], ["a", true], '{"a": true}'],
  ['{"a":1,"b":2}', [], ["c", "x"], '{"a":1,"b":2,"c":"x"}'],
  ['{"a": 1, "b": 2}', [], ["c", "x"], '{"a": 1, "b": 2, "c": "x"}'],
  ['{\r\n\t"a" : 1\r\n}\r\n', [], ["b", true], '{\r\n\t"a" : 1,\r\n\t"b" : true\r\n}\r\n'],
  ['{"v1.2": [{"a": 1}, {"a": 2}]}', ["v1.2", 1], ["a", "z"], '{"v1.2": [{"a": 1}, {"a": "z"}]}'],
  ['{"\\u0061": 1}', [], ["a", "z"], '{"\\u0061": "z"}'],
  ['{"a": 1, "a": 2}', [], ["a", true], '{"a": 1, "a": true}'],
] as [string, (string | number)[], [string, string | boolean], string][])(
  "in %j at %j the key %j is set, all else as it was",
  (text, path, member, wanted) => expect(withMember(text, path, member)).toBe(wanted),
);

test("what is no object, or not there, or no JSON has no such edit", () => {
  for (const [text, path] of [
    ["[1]", []],
    ['{"a": 1}', ["a"]],
    ['{"a": 1}', ["b"]],
    ['{"a": ', []],
  ] as [string, string[]][])
    expect(withMember(text, path, ["k", true])).toBeNull();
});

test("whatever the document, exactly one key changes its value", () => {
  const key = fc.constantFrom("a", "b", 'q"', "x.y", "\n", "é");
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, noNullPrototype: true });
  const gap = fc.constantFrom("", " ", "\t");
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 4 }), fc.nat(), key, gap, (list, where, name, indent) => {
      const at = where % list.length;
      const text = withMember(JSON.stringify({ list }, null, indent), ["list", at], [name, "new"]);
      const wanted = list.map((one, index) => (index === at ? { ...one, [name]: "new" } : one));
      expect(JSON.parse(text ?? "")).toEqual(JSON.parse(JSON.stringify({ list: wanted })));
    }),
    { seed, numRuns: 300 },
  );
});
