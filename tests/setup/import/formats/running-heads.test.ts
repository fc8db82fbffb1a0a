import { expect, test } from "bun:test";
import { withoutRunningHeads } from "../../../../src/setup/import/formats/running-heads.ts";

const page = (number: number, ...lines: string[]) => ["ACME - PRD", ...lines, `Page ${number} of 3`].join("\n");

test("a line on every page is a running head, not text", () => {
  const pages = [page(1, "Title", "a"), page(2, "b", "1. First"), page(3, "c", "2. Second")];
  expect(withoutRunningHeads(pages)).toEqual(["Title\na", "b\n1. First", "c\n2. Second"]);
});

test("a line on some pages, or in the middle of a page, stays in the text", () => {
  const pages = ["a\nb\nc\nd\nsame\ne\nf\ng", "h\ni\nj\nk\nsame\nl\nm\nn", "Title", "Title"];
  expect(withoutRunningHeads(pages)).toEqual(pages);
  expect(withoutRunningHeads(["one page"])).toEqual(["one page"]);
});
