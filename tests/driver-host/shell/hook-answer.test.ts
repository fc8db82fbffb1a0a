import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseHookAnswer } from "../../../src/driver-host/shell/hook-answer.ts";
import { seed } from "../../seed.ts";

const field = (name: string, ...values: string[]) =>
  [name, String(values.length), ...values].map((word) => `${word}\0`).join("");

test("fields may have empty values, line ends and repeated names", () => {
  const answer = parseHookAnswer(
    `${field("argv", "a", "", "b\nc")}${field("export", "A", "1")}${field("export", "B", "")}${field("yes", "yes")}${field("end")}`,
  );
  expect(answer?.list("argv")).toEqual(["a", "", "b\nc"]);
  expect(answer?.all("export")).toEqual([
    ["A", "1"],
    ["B", ""],
  ]);
  expect([answer?.flag("yes"), answer?.flag("argv"), answer?.flag("none")]).toEqual([true, false, null]);
  expect([answer?.text("argv"), answer?.text("end"), answer?.list("none")]).toEqual(["a", null, null]);
});

test.each([
  ["nothing", ""],
  ["no last field", field("a", "b")],
  ["half of a field", `a\0${"3"}\0b\0`],
  ["an invalid count", `a\0x\0b\0${field("end")}`],
  ["stray text of a hook", `hello\n${field("end")}`],
])("an incomplete answer is rejected: %s", (_, text) => expect(parseHookAnswer(text)).toBeNull());

test("any values survive the round trip", () => {
  const word = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(word), (values) => {
      expect(parseHookAnswer(field("x", ...values) + field("end"))?.list("x")).toEqual(values);
    }),
    { seed },
  );
});
