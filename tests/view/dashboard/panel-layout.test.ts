import { expect, test } from "bun:test";
import { cell } from "../../../src/view/dashboard/panel-layout.ts";
import { style } from "../../../src/view/text/style.ts";
import { columns, fit } from "../../../src/view/text/text.ts";

const { bold, dim, red } = style(true);

test.each([
  ["a line that fits is unchanged", `${dim("says")} done`, 9, `${dim("says")} done`],
  ["a cut line keeps its styles", `${dim("says")} all is done`, 9, `${dim("says")} all…`],
  ["a cut style is closed", `a ${red("failure")}`, 5, `a ${red("fa…")}`],
  [
    "a full line with more text is cut as well",
    `${bold("four")}${red("more")}`,
    4,
    `${bold("fou…")}\u001b[31m\u001b[39m`,
  ],
  ["a wide character is never halved", `${bold("日本")}語`, 4, bold("日…")],
  ["a line without styles is cut", "abcdef", 4, "abc…"],
])("%s", (_, line, width, shown) => {
  expect(fit(line, width)).toBe(shown);
  expect(columns(cell(line, width))).toBe(width);
});
