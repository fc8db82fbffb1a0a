import { afterAll, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { openScreen, type Terminal } from "../../../src/effects/terminal/screen.ts";
import { pendingMs } from "../../../src/view/dashboard/parse-keys.ts";

const nowhere = openSync(devNull, "w");
afterAll(() => closeSync(nowhere));

/** A screen whose terminal sends bytes, and the input that it reports. */
function screenWithInput() {
  const input = Object.assign(new PassThrough(), { setRawMode: () => {} }) as unknown as ReadStream;
  const size = { columns: 80, rows: 24 };
  const output = Object.assign(new PassThrough(), { ...size, fd: nowhere }) as unknown as Terminal["output"];
  const received: string[] = [];
  const screen = openScreen(
    { input, output },
    { onInput: (text) => received.push(text), onResize: () => {} },
    pendingMs,
  );
  return { received, sends: (bytes: Uint8Array) => input.emit("data", bytes), close: screen.close };
}

test("characters stay whole wherever the typed bytes are split", () => {
  const text = "日本語 ü 👍";
  const bytes = Buffer.from(text);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const { received, sends, close } = screenWithInput();
    sends(bytes.subarray(0, cut));
    sends(bytes.subarray(cut));
    close();
    expect(received.join("")).toBe(text);
  }
});

test("what a line holds of control sequences is shown, and moves, erases or names nothing", () => {
  const input = Object.assign(new PassThrough(), { setRawMode: () => {} }) as unknown as ReadStream;
  const written: string[] = [];
  const size = { columns: 80, rows: 24, fd: nowhere };
  const output = Object.assign(new PassThrough(), size) as unknown as Terminal["output"];
  output.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const screen = openScreen({ input, output }, { onInput: () => {}, onResize: () => {} }, pendingMs);
  written.length = 0;
  screen.draw(["\u001b[1mbold\u001b[22m", "from \u001b]0;title\u0007\u009b2J\u202eback"]);
  screen.close();
  expect(written[0]).toContain("\u001b[1mbold\u001b[22m");
  expect(written[0]).toContain("from \\u001b]0;title\\u0007\\u009b2J\\u202eback");
});
