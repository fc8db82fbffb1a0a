import { describe, expect, test } from "bun:test";
import { createIdleWatch } from "../../../src/effects/process/idle-watch.ts";
import type { ProcessInfo } from "../../../src/effects/process-tree/process-info.ts";
import { createFakeClock, type FakeClock } from "../fake-clock.ts";

const IDLE = 100_000;

/** Follows the watch's own schedule until the agent counts as idle; ms since the start, or null if it never does. */
async function idleAfter(clock: FakeClock, look: (lastOutput: number) => Promise<number | "idle">, lastOutput: number) {
  const start = clock.now();
  for (let looks = 0; looks < 20; looks += 1) {
    const next = await look(lastOutput);
    if (next === "idle") return clock.now() - start;
    clock.advance(next - clock.now());
  }
  return null;
}

function members(...cpu: [pid: number, ms: number][]): ProcessInfo[] {
  return cpu.map(([pid, cpuMs]) => ({ pid, parent: 1, group: 1, startTime: "boot:1", cpuMs, isZombie: false }));
}

describe("an agent that prints nothing", () => {
  test.each([
    ["and does nothing is idle after the period", [members([7, 500]), members([7, 500])], IDLE],
    ["and only runs timers is idle", [members([7, 500]), members([7, 1400])], IDLE],
    [
      "but computes gets another period",
      [members([7, 0]), members([7, 1000]), members([7, 1000]), members([7, 1000])],
      2 * IDLE,
    ],
    [
      "but started a program that computes gets another period",
      [members([7, 0]), members([7, 0], [8, 1000])],
      2 * IDLE,
    ],
    ["and lost a program that had computed is idle", [members([7, 0], [8, 9000]), members([7, 0])], IDLE],
  ])("%s", async (_what, tables, expected) => {
    const clock = createFakeClock();
    const watch = createIdleWatch(
      clock,
      IDLE,
      () => false,
      async () => tables.shift() ?? [],
    );
    expect(await idleAfter(clock, watch.look, clock.now())).toBe(expected);
  });

  test("since an early output is idle one period after it", async () => {
    const clock = createFakeClock();
    const watch = createIdleWatch(
      clock,
      IDLE,
      () => false,
      async () => [],
    );
    clock.advance(60_000);
    expect(await idleAfter(clock, watch.look, clock.now())).toBe(IDLE);
  });

  test("because the machine slept gets half a period to show life", async () => {
    const clock = createFakeClock();
    const watch = createIdleWatch(
      clock,
      IDLE,
      () => false,
      async () => [],
    );
    const lastOutput = clock.now();
    clock.advance(8 * 3_600_000);
    expect(await idleAfter(clock, watch.look, lastOutput)).toBe(IDLE / 2);
  });

  test("is never idle if no period is set", async () => {
    const clock = createFakeClock();
    const watch = createIdleWatch(
      clock,
      0,
      () => false,
      async () => [],
    );
    expect(await watch.look(clock.now())).toBe(Number.POSITIVE_INFINITY);
  });
});
