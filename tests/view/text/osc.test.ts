import { expect, test } from "bun:test";
import { oscNotification } from "../../../src/view/text/osc.ts";

const words = { title: "weather: done", text: "All; is \u001b]0;well\u0007 done\n" };

test("a terminal without sequences gets no notification", () => {
  expect(oscNotification(words, { TERM: "dumb" })).toBe("");
});

test.each([
  ["iTerm2 and the like", { TERM_PROGRAM: "iTerm.app" }, "\u001b]9;weather: done. All, is done\u0007"],
  ["an unknown terminal", {}, "\u001b]9;weather: done. All, is done\u0007"],
  ["foot", { TERM: "foot" }, "\u001b]777;notify;weather: done;All, is done\u0007"],
  ["a VTE", { VTE_VERSION: "7600" }, "\u001b]777;notify;weather: done;All, is done\u0007"],
  ["tmux", { TMUX: "x", TERM: "foot" }, "\u001bPtmux;\u001b\u001b]777;notify;weather: done;All, is done\u0007\u001b\\"],
])("no text can end the notification sequence of %s", (_, env, sequence) => {
  expect(oscNotification(words, env)).toBe(sequence);
});
