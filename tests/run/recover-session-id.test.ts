/** The session id from the driver's hooks, if no event has it. */
import { describe, expect, test } from "bun:test";
import type { Driver } from "../../src/driver.ts";
import { type EndedCall, recoverSessionId } from "../../src/run/recover-session-id.ts";
import { fakeWorld, plainDriver } from "./fake-world.ts";

/** Asks a driver with these hooks. @returns the id, and the calls of its hooks with what each got to see */
async function asked(hooks: Partial<Driver>, about: Partial<EndedCall> = {}) {
  const output = { head: "begin ", tail: "end" };
  const ended: EndedCall = { outcome: "ok", stdoutFile: "1-1.out", seen: null, ...about };
  const calls: string[] = [];
  const { extractSessionId, fallbackSessionId, ...rest } = hooks;
  const driver: Driver = { ...plainDriver, ...rest };
  if (extractSessionId !== undefined)
    driver.extractSessionId = (text) => {
      calls.push(`extract ${text}`);
      return extractSessionId(text);
    };
  if (fallbackSessionId !== undefined)
    driver.fallbackSessionId = (text, host, binary) => {
      calls.push(`fallback ${text} by ${binary}`);
      return fallbackSessionId(text, host, binary);
    };
  const reads: { head: number; tail: number }[] = [];
  const outputEnds = (_path: string, max: { head: number; tail: number }) => {
    reads.push(max);
    return output;
  };
  const { host } = fakeWorld().world;
  return {
    id: await recoverSessionId({ driver, binary: ["own"] }, { host, outputEnds, sandbox: null }, ended),
    calls,
    reads,
  };
}

const nothing = { extractSessionId: () => null };
const last = { fallbackSessionId: () => Promise.resolve("last") };

describe("a driver's hooks", () => {
  test("see the first and the last 8 MB of the output as one text", async () => {
    const { calls, reads } = await asked({ ...nothing, ...last });
    expect(reads).toEqual([{ head: 8_000_000, tail: 8_000_000 }]);
    expect(calls).toEqual(["extract begin end", "fallback begin end by own"]);
  });

  test("are called in order, and the fallback only if the first finds nothing", async () => {
    expect(await asked({ extractSessionId: () => "hooked", ...last })).toMatchObject({
      id: "hooked",
      calls: ["extract begin end"],
    });
  });

  test("do not include the fallback if an event named the session", async () => {
    expect(await asked({ ...nothing, ...last }, { seen: "seen" })).toMatchObject({
      id: null,
      calls: ["extract begin end"],
    });
    expect(await asked(last, { seen: "seen" })).toMatchObject({ id: null, calls: [], reads: [] });
  });

  test("may be the fallback alone", async () => {
    expect(await asked(last)).toMatchObject({ id: "last", calls: ["fallback begin end by own"] });
  });

  test.each([
    ["ok", "last"],
    ["timed_out", "last"],
    ["idle", "last"],
    ["failed", null],
    ["stopped", null],
    ["spawn_failed", null],
  ] as const)("of a call that ended as %s: the fallback finds %p", async (outcome, id) => {
    expect((await asked(last, { outcome })).id).toBe(id);
  });

  test("may be the extraction alone", async () => {
    expect(await asked(nothing)).toMatchObject({ id: null, calls: ["extract begin end"] });
  });

  test("read no output if there are none", async () => {
    expect(await asked({})).toMatchObject({ id: null, reads: [] });
  });

  test("are not called if the agent has no sessions", async () => {
    expect(await asked({ ...last, supportsSessions: false })).toMatchObject({ id: null, calls: [], reads: [] });
  });

  test("cannot return an id of another form", async () => {
    const driver = { extractSessionId: () => "--flag", fallbackSessionId: () => Promise.resolve("two words") };
    expect((await asked(driver)).id).toBeNull();
  });
});
