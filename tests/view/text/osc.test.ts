import { expect, test } from "bun:test";
import { oscNotification, oscTitle, oscTitleEnd } from "../../../src/view/text/osc.ts";

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

test("a window's title is set and put back, and no text can end its sequence", () => {
  const env = { TERM: "xterm-256color", TMUX: "x" };
  expect(oscTitle("Ralph \u001b]0;x\u0007Loop", env)).toBe("\u001b[22;2t\u001b]2;Ralph Loop\u0007");
  expect(oscTitleEnd(env)).toBe("\u001b[23;2t");
  for (const TERM of ["dumb", "linux"]) expect(oscTitle("Ralph", { TERM }) + oscTitleEnd({ TERM })).toBe("");
});
