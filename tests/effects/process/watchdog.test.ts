import { expect, test } from "bun:test";
import { createWatchdog, type Vitals } from "../../../src/effects/process/watchdog.ts";
import { createFakeClock } from "../fake-clock.ts";

const NEVER = { look: async () => Number.POSITIVE_INFINITY };

/** What becomes of an agent whose time was over while ralph was stopped; `takeIn`: what ralph finds when it continues. */
async function afterStop(takeIn: (vitals: Vitals) => void): Promise<string | null> {
  const clock = createFakeClock(1000);
  const vitals: Vitals = { exited: false, broken: false, finishedAt: null, lastOutput: 0 };
  const { signal } = new AbortController();
  const watchdog = createWatchdog({
    clock,
    vitals,
    deadline: 1000,
    stop: signal,
    idle: NEVER,
    writes: NEVER,
    isOver: () => false,
    over: NEVER,
  });
  setImmediate(() => {
    takeIn(vitals);
    watchdog.wake();
  });
  return watchdog.watch();
}

test.each<[string, (vitals: Vitals) => void, string | null]>([
  ["exited meanwhile", (vitals) => Object.assign(vitals, { exited: true }), null],
  ["answered meanwhile", (vitals) => Object.assign(vitals, { finishedAt: -5000 }), "finished"],
  ["still works", () => {}, "timed_out"],
])("an agent whose timeout passed while ralph was stopped ends as it should if it %s", async (_, takeIn, ending) => {
  expect(await afterStop(takeIn)).toBe(ending);
});
