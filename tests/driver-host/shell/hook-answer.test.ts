import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseHookAnswer } from "../../../src/driver-host/shell/hook-answer.ts";
import { seed } from "../../seed.ts";

const field = (name: string, ...values: string[]) =>
  [name, String(values.length), ...values].map((word) => `${word}\0`).join("");

test("fields are taken apart: empty values, line ends, several of one name", () => {
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
  ["a number that is none", `a\0x\0b\0${field("end")}`],
  ["text of a hook", `hello\n${field("end")}`],
])("what broke off is none: %s", (_, text) => expect(parseHookAnswer(text)).toBeNull());

test("whatever the values hold, they come out as they went in", () => {
  const word = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(word), (values) => {
      expect(parseHookAnswer(field("x", ...values) + field("end"))?.list("x")).toEqual(values);
    }),
    { seed },
  );
});
