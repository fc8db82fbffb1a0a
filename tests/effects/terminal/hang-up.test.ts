import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";

/** What ends a program that reads keys, once nobody can type any more. */
async function endOf(...words: string[]): Promise<NodeJS.Signals | number | null> {
  const argv = [process.execPath, join(import.meta.dir, "hang-up-program.ts"), ...words];
  const child = Bun.spawn(argv, { stdin: "pipe", stdout: "ignore", stderr: "inherit" });
  await child.stdin.end();
  await child.exited;
  return child.signalCode ?? child.exitCode;
}

describe("a terminal whose input ends has hung up", () => {
  test.concurrent.each(["keys", "screen"])("for whoever reads %s", async (what) => {
    // What Windows ends has an exit code.
    expect(await endOf(what)).toBe(process.platform === "win32" ? 1 : "SIGHUP");
  });

  test.concurrent.each(["keys", "screen"])("and who listens to that is told, for %s", async (what) => {
    expect(await endOf(what, "listens")).toBe(129);
  });

  test.concurrent.each(["keys", "screen"])("but not for %s that were closed before", async (what) => {
    expect(await endOf(what, "closed")).toBe(0);
  });
});
