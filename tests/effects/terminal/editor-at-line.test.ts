import { expect, test } from "bun:test";
import { editorAtLine } from "../../../src/effects/terminal/editor-at-line.ts";

test.each([
  [["vim"], 7, ["vim", "+7", "p.md"]],
  [["/usr/bin/nano", "-w"], 7, ["/usr/bin/nano", "-w", "+7", "p.md"]],
  [["code", "--wait"], 7, ["code", "--wait", "--goto", "p.md:7"]],
  [["C:\\Apps\\Subl.exe"], 7, ["C:\\Apps\\Subl.exe", "p.md:7"]],
  [["notepad"], 7, ["notepad", "p.md"]],
  [["vim"], null, ["vim", "p.md"]],
])("%j opens a file at line %p, if it is known how", (editor, line, words) => {
  expect(editorAtLine(editor, "p.md", line)).toEqual(words);
});
