/** What signals do around a run. */
import { expect, test } from "bun:test";
import process from "node:process";
import { unlessStopped } from "../../../src/cli/run/signals.ts";

const handlers = () => ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => process.listenerCount(signal));

test("what is only good to know is waited for until a signal, which ends the waiting and nothing else", async () => {
  const before = handlers();
  const never = unlessStopped(new Promise<string>(() => {}));
  process.emit("SIGINT", "SIGINT");
  expect(await never).toBeNull();
  expect(handlers()).toEqual(before);
});

test("what comes before a signal is told, and signals mean what they did before", async () => {
  const before = handlers();
  expect(await unlessStopped(Promise.resolve("told"))).toBe("told");
  expect(await unlessStopped(Promise.resolve(null))).toBeNull();
  expect(handlers()).toEqual(before);
});
