import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";

/** How a program that reads keys ends once its terminal is gone. */
async function endOf(...words: string[]): Promise<NodeJS.Signals | number | null> {
  const argv = [process.execPath, join(import.meta.dir, "hang-up-program.ts"), ...words];
  const child = Bun.spawn(argv, { stdin: "pipe", stdout: "ignore", stderr: "inherit" });
  await child.stdin.end();
  await child.exited;
  return child.signalCode ?? child.exitCode;
}

describe("a terminal whose input ends has hung up", () => {
  test.concurrent.each(["keys", "screen"])("for a program that reads %s", async (what) => {
    // Windows reports an exit code instead of a signal.
    expect(await endOf(what)).toBe(process.platform === "win32" ? 1 : "SIGHUP");
  });

  test.concurrent.each(["keys", "screen"])("for a program that reads %s, whose listener is called", async (what) => {
    expect(await endOf(what, "listens")).toBe(129);
  });

  test.concurrent.each(["keys", "screen"])("but not for a program that closed its %s before", async (what) => {
    expect(await endOf(what, "closed")).toBe(0);
  });
});
