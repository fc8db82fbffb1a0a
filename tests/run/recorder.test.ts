import { describe, expect, test } from "bun:test";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { createMasks, type Mask } from "../../src/core/secrets/mask.ts";
import { createRecorder, type EventSubscriber, type Recorder } from "../../src/run/recorder.ts";
import { NOON, stateOf } from "../core/given.ts";

const said = (text: string): EventBody => ({ type: "said", text });

/** A recorder that logs each action in order: `write 1-2`, `sync`, and `NAME 1 2` of a subscriber. */
function recorderWith(
  makeReaders: (done: string[]) => EventSubscriber[],
  write: (events: readonly RalphEvent[]) => void = () => {},
  mask?: Mask,
) {
  const done: string[] = [];
  const journal: RalphEvent[] = [];
  const recorder: Recorder = createRecorder({
    run: "0001",
    state: stateOf(),
    now: () => NOON,
    write: (events) => {
      write(events);
      done.push(`write ${events.map(({ seq }) => seq).join(" ")}`);
      journal.push(...events);
    },
    sync: () => void done.push("sync"),
    subscribers: makeReaders(done),
    ...(mask === undefined ? {} : { mask }),
  });
  return { recorder, done, journal };
}

const reader = (name: string, done: string[]): EventSubscriber => ({
  name,
  onEvents: (steps) => void done.push(`${name} ${steps.map(({ event }) => event.seq).join(" ")}`),
});

const throwing = (name: string, error: unknown = new Error("it broke")): EventSubscriber => ({
  name,
  onEvents: () => {
    throw error;
  },
});

const notes = (journal: readonly RalphEvent[]) =>
  journal.flatMap((event) => (event.type === "note" ? [event.text] : []));

test("an event is numbered, written, folded and published, in this order", () => {
  const { recorder, done } = recorderWith((done) => [
    { name: "a", onEvents: ([step]) => void done.push(`a ${step?.previous.said.length} ${step?.state.said.length}`) },
  ]);
  const event = recorder.append(said("x"));
  expect(event).toMatchObject({ v: 1, seq: 1, run: "0001", iteration: 0, at: new Date(NOON).toISOString(), text: "x" });
  expect(done).toEqual(["write 1", "a 0 1"]);
  expect(recorder.state()).toMatchObject({ seq: 1, said: [{ text: "x" }] });
});

test("several events are one write, and no events are none", () => {
  const { recorder, done } = recorderWith((done) => [reader("a", done)]);
  recorder.appendAll([said("x"), said("y")]);
  recorder.appendAll([]);
  expect(done).toEqual(["write 1 2", "a 1 2"]);
});

test("a durable event is flushed before it is published", () => {
  const { recorder, done } = recorderWith((done) => [reader("a", done)]);
  recorder.append({ type: "wait_started", until: "", why: "paused", message: "" });
  expect(done).toEqual(["write 1", "sync", "a 1"]);
});

test("an event that cannot be written is neither folded nor published", () => {
  const { recorder, done } = recorderWith(
    (done) => [reader("a", done)],
    () => {
      throw new Error("no room");
    },
  );
  expect(() => recorder.append(said("x"))).toThrow("no room");
  expect(done).toEqual([]);
  expect(recorder.state().seq).toBe(stateOf().seq);
});

describe("a subscriber that throws", () => {
  test("is detached and reported once, and the loop goes on", () => {
    let calls = 0;
    const { recorder, journal } = recorderWith(() => [
      {
        name: "the view",
        onEvents: () => {
          calls += 1;
          throw new Error("it broke");
        },
      },
    ]);
    recorder.append(said("x"));
    recorder.append(said("y"));
    expect(calls).toBe(1);
    expect(notes(journal)).toEqual(["the view failed and is switched off for this run: it broke"]);
    expect(recorder.state().said).toHaveLength(2);
  });

  test("does not keep the others from receiving all events in order", () => {
    const { recorder, done } = recorderWith((done) => [reader("before", done), throwing("bad"), reader("after", done)]);
    recorder.append(said("x"));
    expect(done).toEqual(["write 1", "before 1", "after 1", "write 2", "before 2", "after 2"]);
  });

  test("is reported, and so is every other one", () => {
    const { recorder, journal } = recorderWith(() => [throwing("one"), throwing("two", "a text")]);
    recorder.append(said("x"));
    expect(notes(journal)).toEqual([
      "one failed and is switched off for this run: it broke",
      "two failed and is switched off for this run: a text",
    ]);
  });
});

test("an event that a subscriber records is published after the one that caused it", () => {
  let recorder: Recorder | null = null;
  const noting: EventSubscriber = {
    name: "noting",
    onEvents: (steps) => {
      if (steps.some(({ event }) => event.type === "said"))
        recorder?.append({ type: "note", level: "warn", text: "a file cannot be written" });
    },
  };
  const made = recorderWith((done) => [noting, reader("after", done)]);
  recorder = made.recorder;
  recorder.appendAll([said("x"), said("y")]);
  expect(made.done).toEqual(["write 1 2", "write 3", "after 1 2", "after 3"]);
});

describe("an event's envelope", () => {
  const numbers = (journal: readonly RalphEvent[]) => journal.map(({ type, iteration }) => `${type} ${iteration}`);
  const started: EventBody = {
    type: "iteration_started",
    number: 4,
    call: 1,
    resume: null,
    plan: null,
    head: null,
    snapshot: null,
  };

  test("names the iteration that begins with it, the one under way, and none after that", () => {
    const { recorder, journal } = recorderWith(() => []);
    recorder.appendAll([said("before"), started, said("within")]);
    recorder.append({ type: "iteration_interrupted", number: 4, why: "stopped" });
    recorder.append(said("after"));
    expect(numbers(journal)).toEqual(["said 0", "iteration_started 4", "said 4", "iteration_interrupted 4", "said 0"]);
  });

  test("names the iteration that a review follows", () => {
    const { recorder, journal } = recorderWith(() => []);
    recorder.append({ type: "review_started", number: 3, call: 2 });
    recorder.append(said("within"));
    expect(numbers(journal).at(-1)).toBe("said 3");
  });
});

describe("the journal is flushed to the disk", () => {
  const agent = { pid: 1, group: 1, start_time: null, marker: "m" };
  test.each<[string, EventBody, boolean]>([
    ["when an agent has started", { type: "agent_started", call: 1, purpose: "main", argv: [], ...agent }, true],
    ["when a wait begins", { type: "wait_started", until: "", why: "paused", message: "" }, true],
    [
      "when the run ends",
      {
        type: "run_finished",
        stop_reason: "stopped_by_user",
        exit_code: 0,
        sentence: "",
        iterations: 0,
        calls: 0,
        usage: noUsage(),
        cost_usd: null,
      },
      true,
    ],
    ["not for what an agent says", { type: "agent_text", call: 1, text: "Hello" }, false],
  ])("%s", (_name, body, flushed) => {
    const { recorder, done } = recorderWith(() => []);
    recorder.append(body);
    expect(done.includes("sync")).toBe(flushed);
  });

  test("when only one event of several must not be lost", () => {
    const { recorder, done } = recorderWith(() => []);
    recorder.appendAll([said("x"), { type: "wait_started", until: "", why: "paused", message: "" }, said("y")]);
    expect(done).toEqual(["write 1 2 3", "sync"]);
  });
});

test("events that a reader records one by one are published in order", () => {
  let recorder: Recorder | null = null;
  const noting: EventSubscriber = {
    name: "noting",
    onEvents: (steps) => {
      if (steps.every(({ event }) => event.type !== "said")) return;
      recorder?.append({ type: "note", level: "warn", text: "one" });
      recorder?.append({ type: "note", level: "warn", text: "two" });
    },
  };
  const made = recorderWith((done) => [noting, reader("after", done)]);
  recorder = made.recorder;
  recorder.append(said("x"));
  expect(made.done).toEqual(["write 1", "write 2", "write 3", "after 1", "after 2", "after 3"]);
});

test("each event of one write is numbered after and folded on the one before", () => {
  const { recorder, journal } = recorderWith(() => []);
  recorder.appendAll([said("x"), said("y")]);
  expect(journal.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(recorder.state().said.map(({ text }) => text)).toEqual(["x", "y"]);
});

test("readers that fail one after the other are reported in order", () => {
  let recorder: Recorder | null = null;
  const noting: EventSubscriber = {
    name: "noting",
    onEvents: (steps) => {
      if (steps.some(({ event }) => event.type === "said")) recorder?.append({ type: "resumed" });
    },
  };
  const failsOn = (type: RalphEvent["type"]): EventSubscriber => ({
    name: `fails on ${type}`,
    onEvents: (steps) => {
      if (steps.some(({ event }) => event.type === type)) throw new Error("it broke");
    },
  });
  const made = recorderWith(() => [noting, failsOn("resumed"), failsOn("said")]);
  recorder = made.recorder;
  recorder.append(said("x"));
  expect(notes(made.journal).map((text) => text.split(" failed")[0])).toEqual(["fails on said", "fails on resumed"]);
});

test("no event, state or subscriber gets a secret, and what an event is found by stays", () => {
  const { text: mask } = createMasks({ A_TOKEN: "zebra-7-fjord" });
  const published: string[] = [];
  const reader: EventSubscriber = {
    name: "a",
    onEvents: (steps) => void published.push(...steps.map(({ event, state }) => JSON.stringify([event, state]))),
  };
  const { recorder, journal } = recorderWith(
    () => [reader],
    () => {},
    mask,
  );
  const told = recorder.append({ type: "said", text: "use zebra-7-fjord" });
  recorder.appendAll([
    {
      type: "agent_tool_started",
      call: 1,
      tool_id: "zebra-7-fjord",
      tool: "Other",
      name: "http",
      input: { path: "/?zebra-7-fjord", deep: [{ type: "zebra-7-fjord" }] },
    },
    { type: "gap_named", command: "test zebra-7-fjord", why: "zebra-7-fjord", exit_code: 1, output: "" },
  ]);
  expect(told.text).toBe("use [masked: A_TOKEN]");
  expect(journal.slice(1)).toMatchObject([
    { tool_id: "zebra-7-fjord", input: { path: "/?[masked: A_TOKEN]", deep: [{ type: "[masked: A_TOKEN]" }] } },
    { command: "test zebra-7-fjord", why: "[masked: A_TOKEN]" },
  ]);
  expect(published).toHaveLength(3);
  expect(published[0]).not.toContain("fjord");
  expect(recorder.state().said).toMatchObject([{ text: "use [masked: A_TOKEN]" }]);
});
