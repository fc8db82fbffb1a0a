import { describe, expect, test } from "bun:test";
import type { StopBy, StopHow } from "../../src/core/journal/event.ts";
import { createStopController } from "../../src/run/stop-controller.ts";

/** A stop controller with a log of its requests, and of whether a signal had fired by then. */
function stopsWithLog() {
  const requested: string[] = [];
  const stops = createStopController((how, by) => {
    const fired = waits.at(-1)?.aborted === true || stops.killSignal.aborted;
    requested.push(`${by} ${how}${fired ? " too late" : ""}`);
  });
  const waits = [stops.waitSignal];
  return { stops, requested };
}

describe("a stop request", () => {
  test.each<[string, [StopBy, StopHow?][], string[]]>([
    ["by a first Ctrl+C lets the iteration finish", [["SIGINT"]], ["SIGINT after_iteration"]],
    ["by a second Ctrl+C ends the agent", [["SIGINT"], ["SIGINT"]], ["SIGINT after_iteration", "SIGINT now"]],
    [
      "by a third Ctrl+C changes nothing",
      [["SIGINT"], ["SIGINT"], ["SIGINT"]],
      ["SIGINT after_iteration", "SIGINT now"],
    ],
    ["by SIGTERM ends the agent", [["SIGTERM"]], ["SIGTERM now"]],
    ["by a closed terminal ends the agent", [["SIGHUP"]], ["SIGHUP now"]],
    ["by `ralph stop` lets the iteration finish", [["user"]], ["user after_iteration"]],
    ["by Ctrl+C after `ralph stop` ends the agent", [["user"], ["SIGINT"]], ["user after_iteration", "SIGINT now"]],
    ["by `ralph stop --now` ends the agent", [["user", "now"]], ["user now"]],
  ])("%s", (_name, requests, expected) => {
    const { stops, requested } = stopsWithLog();
    for (const [by, how] of requests) stops.request(by, how);
    expect(requested.map((text) => text.replace(" too late", ""))).toEqual(expected);
    expect(stops.killSignal.aborted).toBe(expected.at(-1)?.endsWith(" now") === true);
  });
});

test("a stop is recorded before a signal fires", () => {
  const { stops, requested } = stopsWithLog();
  stops.request("SIGTERM");
  expect(requested).toEqual(["SIGTERM now"]);
});

test("a stop ends the current wait, but not a later one", () => {
  const { stops } = stopsWithLog();
  const first = stops.waitSignal;
  stops.request("user");
  expect([first.aborted, stops.waitSignal.aborted]).toEqual([true, false]);
  const second = stops.waitSignal;
  stops.endWait();
  expect([second.aborted, stops.killSignal.aborted]).toEqual([true, false]);
});

describe("withdrawing a stop", () => {
  test("works while the iteration finishes, and the next Ctrl+C is a first one again", () => {
    const { stops, requested } = stopsWithLog();
    stops.request("SIGINT");
    expect(stops.withdraw()).toBe(true);
    stops.request("SIGINT");
    expect(requested.at(-1)).toStartWith("SIGINT after_iteration");
    expect(stops.killSignal.aborted).toBe(false);
  });

  test("fails once the agent is being ended", () => {
    const { stops } = stopsWithLog();
    stops.request("SIGTERM");
    expect([stops.withdraw(), stops.killSignal.aborted]).toEqual([false, true]);
  });
});

test("a stop that cannot be recorded still ends agent and wait, with the error as the reason", () => {
  const full = new Error("The disk is full");
  const stops = createStopController(() => {
    throw full;
  });
  const { waitSignal } = stops;
  stops.request("SIGINT");
  expect([waitSignal.aborted, stops.killSignal.aborted]).toEqual([true, true]);
  expect(stops.killSignal.reason).toBe(full);
});
