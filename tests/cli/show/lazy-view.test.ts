import { expect, test } from "bun:test";
import { lazyView } from "../../../src/cli/show/lazy-view.ts";
import type { LiveView } from "../../../src/cli/show/live-view.ts";
import type { EventStep } from "../../../src/core/journal/event-step.ts";
import { agentStarted, iterationStarted, play, runFinished, runStarted } from "../../core/state-files/script.ts";

/** A view that records its events, and how often it was loaded. */
function recording() {
  const seen: string[] = [];
  let loads = 0;
  const view: LiveView = {
    reader: { name: "a view", onEvents: (steps) => seen.push(...steps.map(({ event }) => event.type)) },
    onPartial: (read) => seen.push(`partial ${read()}`),
    say: (text) => seen.push(`said ${text}`),
    close: () => seen.push("closed"),
  };
  const load = async () => {
    loads += 1;
    return view;
  };
  return { seen, loads: () => loads, load };
}

const steps = play(runStarted(), iterationStarted(1), agentStarted(), runFinished("stopped_by_user"));
const only = (...types: string[]) => steps.filter(({ event }) => types.includes(event.type)) as EventStep[];

test("a lazy view loads once, when the first agent runs, and then shows all events in order", async () => {
  const { seen, loads, load } = recording();
  const view = lazyView(load);
  view.reader.onEvents(only("run_started"));
  view.reader.onEvents(only("iteration_started"));
  expect(loads()).toBe(0);
  view.reader.onEvents(only("agent_started"));
  view.reader.onEvents(only("run_finished"));
  await view.settled();
  view.onPartial(() => "x");
  expect(seen).toEqual(["run_started", "iteration_started", "agent_started", "run_finished", "partial x"]);
  expect(loads()).toBe(1);
});

test("a lazy view also shows a run that ends without an agent", async () => {
  const { seen, load } = recording();
  const view = lazyView(load);
  view.reader.onEvents(only("run_started", "run_finished"));
  await view.settled();
  expect(seen).toEqual(["run_started", "run_finished"]);
});

test("a lazy view says a text after the events before it, though it was not yet loaded", async () => {
  const { seen, load } = recording();
  const view = lazyView(load);
  view.reader.onEvents(only("agent_started"));
  view.say("advice");
  view.reader.onEvents(only("run_finished"));
  await view.settled();
  expect(seen).toEqual(["agent_started", "said advice", "run_finished"]);
});

test("a lazy view closed during loading closes its view once loaded", async () => {
  const { seen, load } = recording();
  const view = lazyView(load);
  view.reader.onEvents(only("agent_started"));
  view.close();
  await view.settled();
  expect(seen).toEqual(["agent_started", "closed"]);
});

test("a lazy view that cannot be loaded rejects settled", async () => {
  const view = lazyView(() => Promise.reject(new Error("no such view")));
  view.reader.onEvents(only("agent_started"));
  await expect(view.settled()).rejects.toThrow("no such view");
});
