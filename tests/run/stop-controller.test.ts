import { describe, expect, test } from "bun:test";
import type { StopBy, StopHow } from "../../src/core/journal/event.ts";
import { createStopController } from "../../src/run/stop-controller.ts";

/** Stops that write down what they are asked for, and whether a signal had fired by then. */
function stopsWithLog() {
  const asked: string[] = [];
  const stops = createStopController((how, by) => {
    const fired = waits.at(-1)?.aborted === true || stops.killSignal.aborted;
    asked.push(`${by} ${how}${fired ? " too late" : ""}`);
  });
  const waits = [stops.waitSignal];
  return { stops, asked };
}

describe("what is asked for", () => {
  test.each<[string, [StopBy, StopHow?][], string[]]>([
    ["the first Ctrl+C lets the iteration end", [["SIGINT"]], ["SIGINT after_iteration"]],
    ["a second one does not", [["SIGINT"], ["SIGINT"]], ["SIGINT after_iteration", "SIGINT now"]],
    ["a third one is nothing new", [["SIGINT"], ["SIGINT"], ["SIGINT"]], ["SIGINT after_iteration", "SIGINT now"]],
    ["the system waits for nothing", [["SIGTERM"]], ["SIGTERM now"]],
    ["nor does a terminal that is closed", [["SIGHUP"]], ["SIGHUP now"]],
    ["another terminal's stop lets the iteration end", [["user"]], ["user after_iteration"]],
    ["Ctrl+C after it is the second wish", [["user"], ["SIGINT"]], ["user after_iteration", "SIGINT now"]],
    ["a stop may say how soon it is wanted", [["user", "now"]], ["user now"]],
  ])("%s", (_name, requests, expected) => {
    const { stops, asked } = stopsWithLog();
    for (const [by, how] of requests) stops.request(by, how);
    expect(asked.map((text) => text.replace(" too late", ""))).toEqual(expected);
    expect(stops.killSignal.aborted).toBe(expected.at(-1)?.endsWith(" now") === true);
  });
});

test("a stop is recorded before anything ends by it", () => {
  const { stops, asked } = stopsWithLog();
  stops.request("SIGTERM");
  expect(asked).toEqual(["SIGTERM now"]);
});

test("every stop ends the wait under way, and a later wait is one again", () => {
  const { stops } = stopsWithLog();
  const first = stops.waitSignal;
  stops.request("user");
  expect([first.aborted, stops.waitSignal.aborted]).toEqual([true, false]);
  const second = stops.waitSignal;
  stops.endWait();
  expect([second.aborted, stops.killSignal.aborted]).toEqual([true, false]);
});

describe("a stop is taken back", () => {
  test("as long as it lets the iteration end, and then Ctrl+C asks first again", () => {
    const { stops, asked } = stopsWithLog();
    stops.request("SIGINT");
    expect(stops.withdraw()).toBe(true);
    stops.request("SIGINT");
    expect(asked.at(-1)).toStartWith("SIGINT after_iteration");
    expect(stops.killSignal.aborted).toBe(false);
  });

  test("but not once the agent is being ended", () => {
    const { stops } = stopsWithLog();
    stops.request("SIGTERM");
    expect([stops.withdraw(), stops.killSignal.aborted]).toEqual([false, true]);
  });
});

test("a stop that cannot be recorded ends the agent and the wait all the same, for that reason", () => {
  const full = new Error("The disk is full");
  const stops = createStopController(() => {
    throw full;
  });
  const { waitSignal } = stops;
  stops.request("SIGINT");
  expect([waitSignal.aborted, stops.killSignal.aborted]).toEqual([true, true]);
  expect(stops.killSignal.reason).toBe(full);
});
