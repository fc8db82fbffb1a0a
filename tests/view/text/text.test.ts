import { describe, expect, test } from "bun:test";
import { style } from "../../../src/view/text/style.ts";
import { fit } from "../../../src/view/text/text.ts";

const { bold, red, dim } = style(true);

describe("cutting a text", () => {
  test.each<[string, number, string]>([
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["日本語です", 5, "日本…"],
    ["日本語です", 6, "日本…"],
    ["anything", 0, ""],
    [bold("longer"), 5, bold("long…")],
    [`${bold("one")} ${dim("two")}`, 6, `${bold("one")} ${dim("t…")}`],
    // A style that ends behind the cut is closed, and no escape sequence is split.
    [`ab${red("cd")}`, 3, `ab${red("…")}`],
    [`abc${red("d")}e`, 4, `abc${red("…")}`],
  ])("fits %j into %d columns", (text, width, cut) => {
    expect(fit(text, width)).toBe(cut);
  });
});
