import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlCommand } from "../../../src/core/control-command.ts";
import { listenForControl, sendControl } from "../../../src/effects/journal/control-channel.ts";
import { until } from "../../e2e/support/harness.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-control-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const say = (text: string): ControlCommand => ({ command: "say", text });

test("commands arrive once, in order, and their files are removed", async () => {
  const dir = join(folder, "control");
  const received: ControlCommand[] = [];
  const close = listenForControl(dir, "r", (command) => received.push(command));
  const sent = ["a", "b", "c"].map((text, index) => sendControl(dir, "r", say(text), 1000 + index));
  await until("three commands", () => received.length === 3);
  expect(received).toEqual([say("a"), say("b"), say("c")]);
  expect(sent.map(({ taken }) => taken())).toEqual([true, true, true]);
  expect(readdirSync(dir)).toEqual([]);
  close();
});

test("commands for an earlier run are dropped, and other files are not read", () => {
  const dir = join(folder, "control");
  mkdirSync(dir);
  sendControl(dir, "earlier", say("old"), 1);
  writeFileSync(join(dir, "notes.txt"), "x");
  writeFileSync(join(dir, "000000000000002-1-ab.json"), "{ torn");
  const received: ControlCommand[] = [];
  listenForControl(dir, "r", (command) => received.push(command))();
  expect(received).toEqual([]);
  expect(readdirSync(dir)).toEqual(["notes.txt"]);
});

test.skipIf(process.platform === "win32")("the folder of commands is private to its owner", () => {
  const dir = join(folder, "control");
  mkdirSync(dir);
  chmodSync(dir, 0o777);
  listenForControl(dir, "r", () => {})();
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform === "win32")("a link in place of the folder is refused", () => {
  symlinkSync(folder, join(folder, "link"));
  expect(() => listenForControl(join(folder, "link"), "r", () => {})).toThrow("it is not a folder");
});

test("a command that cannot be sent is an error", () => {
  expect(() => sendControl(join(folder, "none"), "r", say("x"), 1)).toThrow("The run cannot take commands from here");
});
