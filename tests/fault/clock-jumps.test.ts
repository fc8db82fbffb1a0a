/** A system clock that is set forward or back while a run is at work. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import { works } from "../e2e/support/answers.ts";
import { cleanUp, type Project, project } from "../e2e/support/harness.ts";
import { onTerminal } from "../e2e/support/pty.ts";
import { until } from "../e2e/support/until.ts";
import { testFolder } from "../folders.ts";

/** Debian's package `faketime`: the program's clock is what a file says, and stays the real one for what lasts how long. */
const LIBRARY = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;
const folder = testFolder("clock");
afterAll(cleanUp);

type Jumping = { at: Project; set(offset: string): void };

function jumping(name: string, options: Parameters<typeof project>[0]): Jumping {
  const file = join(folder, name);
  const set = (offset: string) => writeFileSync(file, `${offset}\n`);
  set("+0");
  const env = { LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1" };
  return { at: project({ ...options, env: { ...env, FAKETIME_DONT_FAKE_MONOTONIC: "1", ...options?.env } }), set };
}

/** No line of the journal is missing, and nothing lasted less than no time. */
function expectWhole(at: Project): void {
  const events = at.events();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
  const lasted = events.flatMap((event) => ("ms" in event && typeof event.ms === "number" ? [event.ms] : []));
  expect(lasted.filter((ms) => ms < 0 || ms > 60_000)).toEqual([]);
}

describe.skipIf(!existsSync(LIBRARY))("a clock that is set", () => {
  test("back during a call changes neither the call nor what MAX_TIME has left", async () => {
    const { at, set } = jumping("call", { steps: [{ ...works(1), waits_for: ".ralph/go1" }, works(2)] });
    const live = at.start("run", "--max-iterations", "2", "--max-time", "1h", "--timeout", "30m");
    await until("the first call", () => at.calls().length === 1);
    set("-10h");
    at.write(".ralph/go1", "");
    const { exit, stderr } = await live.ended;
    expect({ exit, stderr, calls: at.calls().length }).toEqual({ exit: 4, stderr: "", calls: 2 });
    expect(at.event("run_finished")?.stop_reason).toBe("max_iterations");
    expectWhole(at);
  });

  // As after the sleep of a machine, during which the time has passed.
  test.each<[string, string[], StopReason, number]>([
    ["ends a run with MAX_TIME after it", ["--max-time", "1h"], "max_time", 1],
    ["changes no other run", ["--timeout", "30m"], "max_iterations", 2],
  ])("forward during a call %s", async (_, flags, reason, calls) => {
    const { at, set } = jumping(`on-${reason}`, { steps: [{ ...works(1), waits_for: ".ralph/go1" }, works(2)] });
    const live = at.start("run", "--max-iterations", "2", ...flags);
    await until("the first call", () => at.calls().length === 1);
    set("+10h");
    at.write(".ralph/go1", "");
    const { exit, stderr } = await live.ended;
    expect({ exit, stderr, calls: at.calls().length }).toEqual({ exit: 4, stderr: "", calls });
    expect(at.event("run_finished")?.stop_reason).toBe(reason);
    expectWhole(at);
  });

  test("forward ends the wait for the next hour of calls", async () => {
    const { at, set } = jumping("forward", { steps: [works(1), works(2)], env: { MAX_CALLS_PER_HOUR: "1" } });
    const live = at.start("run", "--max-iterations", "2");
    await until("the wait", () => at.event("wait_started") !== undefined);
    set("+2h");
    const { exit } = await live.ended;
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 2 });
    expectWhole(at);
  });

  test("back during the wait for the next hour makes no call above the budget", async () => {
    const { at, set } = jumping("back", { steps: [works(1), works(2)], env: { MAX_CALLS_PER_HOUR: "1" } });
    const live = at.start("run", "--max-iterations", "2");
    await until("the wait", () => at.event("wait_started") !== undefined);
    set("-10h");
    await until("another decision", () => at.events().filter(({ type }) => type === "wait_started").length === 2);
    expect(at.calls()).toHaveLength(1);
    set("+2h");
    const { exit } = await live.ended;
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 2 });
    expectWhole(at);
  });

  test("back shows the dashboard a newer run all the same", async () => {
    const { at, set } = jumping("dashboard", { steps: [works(1), works(2), works(3)] });
    await at.ralph("run", "--max-iterations", "1");
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("max_iterations");
    set("-10h");
    await at.ralph("run", "--max-iterations", "2");
    await screen.shows("2 of 2");
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });
});
