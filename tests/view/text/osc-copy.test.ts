import { expect, test } from "bun:test";
import { oscCopy } from "../../../src/view/text/osc.ts";

const encoded = Buffer.from("日本 ok\n", "utf8").toString("base64");

test("a copied text goes to the terminal's clipboard, character by character", () => {
  expect(oscCopy("日本 ok\n", {})).toBe(`\u001b]52;c;${encoded}\u0007`);
});

test("inside tmux it goes to tmux and to the terminal around it", () => {
  const sequence = oscCopy("日本 ok\n", { TMUX: "/tmp/tmux-0/default,1,0" }) ?? "";
  expect(sequence).toStartWith(`\u001b]52;c;${encoded}\u0007`);
  expect(sequence).toEndWith(`\u001bPtmux;\u001b\u001b]52;c;${encoded}\u0007\u001b\\`);
});

test("a text that terminals would drop is refused", () => {
  expect(oscCopy("x".repeat(60_000), {})).toBeNull();
  expect(oscCopy("x".repeat(50_000), {})).not.toBeNull();
});
