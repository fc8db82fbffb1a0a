/** When those who only show a run hear of what happened. */
import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import type { EventStep } from "../../src/core/journal/event-step.ts";
import { createBatches } from "../../src/run/batches.ts";
import { createRecorder, type EventSubscriber } from "../../src/run/recorder.ts";
import { NOON, stateOf } from "../core/given.ts";
import { iterationFinished } from "../core/state-files/script.ts";

const said = (text: string): EventBody => ({ type: "said", text });
const waits: EventBody = { type: "wait_started", until: "", why: "paused", message: "" };
const agentStarts: EventBody = {
  type: "agent_started",
  call: 1,
  purpose: "main",
  pid: 2,
  group: 2,
  start_time: null,
  marker: "m",
  argv: [],
};

/** A recorder with one reader in batches: what it heard, the calls that are due, and the journal. */
function heardBy(hear: (numbers: number[]) => void = () => {}, others: readonly EventSubscriber[] = []) {
  const heard: number[][] = [];
  const due: (() => void)[] = [];
  const written: EventBody[] = [];
  const view: EventSubscriber = {
    name: "the view",
    onEvents(steps) {
      const numbers = steps.map(({ event }) => event.seq);
      hear(numbers);
      heard.push(numbers);
    },
  };
  const batches = createBatches([view, ...others], (tell) => void due.push(tell));
  const recorder = createRecorder({
    run: "0001",
    state: stateOf(),
    now: () => NOON,
    write: (events) => void written.push(...events),
    sync: () => {},
    subscribers: batches.subscribers,
  });
  const pass = () => {
    for (const tell of due.splice(0)) tell();
  };
  return { recorder, heard, due, written, batches, pass };
}

test("events are heard a moment later, all at once and in order", () => {
  const { recorder, heard, due, pass } = heardBy();
  recorder.append(said("a"));
  recorder.appendAll([said("b"), said("c")]);
  expect([heard, due.length]).toEqual([[], 1]);
  pass();
  recorder.append(said("d"));
  expect(heard).toEqual([[1, 2, 3]]);
  pass();
  expect(heard).toEqual([[1, 2, 3], [4]]);
});

test("an event that somebody waits for is heard at once, after all before it, and none twice", () => {
  const { recorder, heard, pass } = heardBy();
  recorder.append(said("a"));
  recorder.append(waits);
  expect(heard).toEqual([[1, 2]]);
  pass();
  expect(heard).toEqual([[1, 2]]);
});

test("the first start of an agent is heard at once, a later one in a moment", () => {
  const { recorder, heard, pass } = heardBy();
  recorder.append(agentStarts);
  recorder.append(agentStarts);
  expect(heard).toEqual([[1]]);
  pass();
  expect(heard).toEqual([[1], [2]]);
});

test("of a flood of output no more than 50 events wait", () => {
  const { recorder, heard, due } = heardBy();
  for (let at = 0; at < 110; at += 1) recorder.append({ type: "agent_text", call: 1, text: "x" });
  expect([heard.map((one) => one.length), due.length]).toEqual([[50, 50], 1]);
});

test("what ralph itself has to say of quick iterations waits for the moment, but no more than 500", () => {
  const { recorder, heard, due } = heardBy();
  for (let at = 0; at < 1010; at += 1) recorder.append(said("x"));
  expect([heard.map((one) => one.length), due.length]).toEqual([[500, 500], 1]);
});

test("at the end all is told", () => {
  const { recorder, heard, batches } = heardBy();
  recorder.append(said("a"));
  batches.tell();
  expect(heard).toEqual([[1]]);
});

describe("a reader that throws", () => {
  test("between two events is reported at the next one, and the run goes on", () => {
    const { recorder, written, pass } = heardBy(() => {
      throw new Error("it broke");
    });
    recorder.append(said("a"));
    pass();
    expect(written).toHaveLength(1);
    recorder.append(said("b"));
    recorder.append(said("c"));
    expect(written.map((event) => (event.type === "note" ? event.text : event.type))).toEqual([
      "said",
      "said",
      "the view failed and is switched off for this run: it broke",
      "said",
    ]);
  });

  test("does not keep the others from hearing", () => {
    const heard: number[] = [];
    const other = { name: "another", onEvents: (steps: readonly EventStep[]) => void heard.push(steps.length) };
    const broken = () => {
      throw new Error("it broke");
    };
    const { recorder, pass } = heardBy(broken, [other]);
    recorder.append(said("a"));
    pass();
    recorder.append(waits);
    expect(heard).toEqual([1, 1]);
  });
});

test("a single reader hears of many iterations at once: its files are written once for them", () => {
  const { recorder, heard, pass } = heardBy();
  for (let at = 0; at < 3; at += 1) recorder.append(iterationFinished());
  pass();
  pass();
  expect(heard).toEqual([[1, 2, 3]]);
});

test("each reader hears of an iteration's end before another hears of the next iteration", () => {
  const told: string[] = [];
  const reader = (name: string): EventSubscriber => ({
    name,
    onEvents: (steps) => void told.push(`${name} ${steps.map(({ event }) => event.seq).join(" ")}`),
  });
  const { subscribers, tell } = createBatches([reader("view"), reader("help")], () => {});
  const recorder = createRecorder({
    run: "0001",
    state: stateOf(),
    now: () => NOON,
    write: () => {},
    sync: () => {},
    subscribers,
  });
  for (const body of [said("a"), iterationFinished(), said("b")]) recorder.append(body);
  tell();
  expect(told).toEqual(["view 1 2", "help 1 2", "view 3", "help 3"]);
});
