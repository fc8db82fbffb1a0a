import { describe, expect, test } from "bun:test";
import process from "node:process";
import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { openKeys } from "../../src/effects/keys.ts";
import { openScreen } from "../../src/effects/screen.ts";

/** A terminal's input without a terminal. */
const terminal = () => Object.assign(new PassThrough(), { setRawMode: () => {} }) as unknown as ReadStream;
const output = () => Object.assign(new PassThrough(), { columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream;
const hangUp = () => new Promise<string>((heard) => process.once("SIGHUP", heard));
const openings: readonly [string, (input: ReadStream) => { close(): void }][] = [
  ["keys", openKeys],
  [
    "the screen",
    (input) => openScreen({ input, output: output() }, { onInput: () => {}, onResize: () => {} }, () => 0),
  ],
];

describe.skipIf(process.platform === "win32")("a terminal whose input ends has hung up", () => {
  test.each(openings)("for whoever reads %s", async (_, open) => {
    const input = terminal();
    const opened = open(input);
    const heard = hangUp();
    input.emit("end");
    expect(await heard).toBe("SIGHUP");
    opened.close();
  });

  test.each(openings)("but not for %s that was closed before", (_, open) => {
    const input = terminal();
    const watching = input.listenerCount("end");
    open(input).close();
    expect(input.listenerCount("end")).toBe(watching);
  });
});
