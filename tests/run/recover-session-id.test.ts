/** The session id from the driver's hooks, if no event has it. */
import { describe, expect, test } from "bun:test";
import type { Driver } from "../../src/driver.ts";
import { recoverSessionId } from "../../src/run/recover-session-id.ts";
import { fakeWorld, plainDriver } from "./fake-world.ts";

/** Asks a driver with these hooks. @returns the id, and the calls of its hooks with what each got to see */
async function asked(hooks: Partial<Driver>, seen: string | null = null, output = { head: "begin ", tail: "end" }) {
  const calls: string[] = [];
  const { extractSessionId, fallbackSessionId, ...rest } = hooks;
  const driver: Driver = { ...plainDriver, ...rest };
  if (extractSessionId !== undefined)
    driver.extractSessionId = (text) => {
      calls.push(`extract ${text}`);
      return extractSessionId(text);
    };
  if (fallbackSessionId !== undefined)
    driver.fallbackSessionId = (text, host) => {
      calls.push(`fallback ${text}`);
      return fallbackSessionId(text, host);
    };
  const reads: { head: number; tail: number }[] = [];
  const outputEnds = (_path: string, max: { head: number; tail: number }) => {
    reads.push(max);
    return output;
  };
  const { host } = fakeWorld().world;
  return { id: await recoverSessionId(driver, { host, outputEnds }, "1-1.out", seen), calls, reads };
}

const nothing = { extractSessionId: () => null };
const last = { fallbackSessionId: () => Promise.resolve("last") };

describe("a driver's hooks", () => {
  test("see the first and the last 8 MB of the output as one text", async () => {
    const { calls, reads } = await asked({ ...nothing, ...last });
    expect(reads).toEqual([{ head: 8_000_000, tail: 8_000_000 }]);
    expect(calls).toEqual(["extract begin end", "fallback begin end"]);
  });

  test("are called in order, and the fallback only if the first finds nothing", async () => {
    expect(await asked({ extractSessionId: () => "hooked", ...last })).toMatchObject({
      id: "hooked",
      calls: ["extract begin end"],
    });
  });

  test("do not include the fallback if an event named the session", async () => {
    expect(await asked({ ...nothing, ...last }, "seen")).toMatchObject({ id: null, calls: ["extract begin end"] });
    expect(await asked(last, "seen")).toMatchObject({ id: null, calls: [], reads: [] });
  });

  test("may be the fallback alone", async () => {
    expect(await asked(last)).toMatchObject({ id: "last", calls: ["fallback begin end"] });
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
