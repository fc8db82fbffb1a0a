import { beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBody, RalphEvent } from "../../../src/core/journal/event.ts";
import { readOverview } from "../../../src/effects/journal/journal-tail.ts";
import { createRunFollower } from "../../../src/effects/journal/run-follower.ts";
import { callEvents } from "../../core/given.ts";
import { testFolders } from "../../folders.ts";

let runs = "";
const newFolder = testFolders("follow");
beforeEach(() => {
  runs = newFolder();
});

let seq = 0;
const line = (body: EventBody, run: string) => {
  seq += 1;
  return `${JSON.stringify({ v: 1, seq, at: "2026-03-04T12:00:00.000Z", run, iteration: 1, ...body })}\n`;
};
const journal = (run: string) => join(runs, run, "events.jsonl");
const note = (text: string): EventBody => ({ type: "note", level: "info", text });
const bulk = (text: string): EventBody => ({ type: "agent_text", call: 1, text });

function begin(run: string, bodies: readonly EventBody[]): void {
  mkdirSync(join(runs, run));
  writeFileSync(journal(run), bodies.map((body) => line(body, run)).join(""));
}

const FIRST = "0001-20260304-120000";
const SECOND = "0002-20260304-130000";

describe("a run follower", () => {
  test("returns what is new, then nothing, then a torn line once it is complete", () => {
    begin(FIRST, [note("a")]);
    const follower = createRunFollower(runs, null);
    expect(follower.look(true)).toMatchObject({
      run: FIRST,
      isRestart: true,
      events: [{ event: { text: "a" }, at: 0 }],
    });
    expect(follower.look(true)).toBeNull();
    const next = line(note("b"), FIRST);
    appendFileSync(journal(FIRST), next.slice(0, 20));
    expect(follower.look(true)).toBeNull();
    appendFileSync(journal(FIRST), next.slice(20));
    expect(follower.look(true)).toMatchObject({ isRestart: false, events: [{ event: { text: "b" } }] });
  });

  test("switches to a new run, unless one run is requested", () => {
    begin(FIRST, [note("a")]);
    const newest = createRunFollower(runs, null);
    const one = createRunFollower(runs, FIRST);
    newest.look(true);
    one.look(true);
    begin(SECOND, [note("z")]);
    expect(newest.look(false)).toBeNull();
    expect(newest.look(true)).toMatchObject({ run: SECOND, isRestart: true, events: [{ event: { text: "z" } }] });
    expect(one.look(true)).toBeNull();
  });

  test("tells the end of a run before it turns to one that began since the last look", () => {
    begin(FIRST, [note("a")]);
    const follower = createRunFollower(runs, null);
    follower.look(true);
    appendFileSync(journal(FIRST), line(note("the end"), FIRST));
    begin(SECOND, [note("z")]);
    expect(follower.look(true)).toMatchObject({
      run: FIRST,
      isRestart: false,
      events: [{ event: { text: "the end" } }],
    });
    expect(follower.look(true)).toMatchObject({ run: SECOND, isRestart: true, events: [{ event: { text: "z" } }] });
    expect(follower.look(true)).toBeNull();
  });

  test.each([
    ["is gone", () => rmSync(join(runs, FIRST), { recursive: true })],
    ["can no longer be read", () => appendFileSync(journal(FIRST), line(note("b"), FIRST).replace('"v":1', '"v":99'))],
  ])("turns to a new run where the journal of the one before %s", (_, spoil) => {
    begin(FIRST, [note("a")]);
    const follower = createRunFollower(runs, null);
    follower.look(true);
    spoil();
    begin(SECOND, [note("z")]);
    expect(follower.look(true)).toMatchObject({ run: SECOND, isRestart: true });
  });

  test("starts over when a shorter journal replaces the old one", () => {
    begin(FIRST, [note("a long line"), note("b")]);
    const follower = createRunFollower(runs, null);
    follower.look(true);
    writeFileSync(journal(FIRST), line(note("c"), FIRST));
    expect(follower.look(true)).toMatchObject({ isRestart: true, events: [{ event: { text: "c" } }] });
  });

  test("waits if there is no run yet", () => {
    expect(createRunFollower(join(runs, "none"), null).look(true)).toBeNull();
  });

  test("reads one iteration from its start", () => {
    const [started] = callEvents(1, 1);
    const [secondCall] = callEvents(1, 2);
    const [next] = callEvents(2, 1);
    begin(FIRST, [
      note("a"),
      ...[started, secondCall, next].flatMap((body) => (body === undefined ? [] : [body, bulk("x")])),
    ]);
    const follower = createRunFollower(runs, null);
    const at = follower.look(true)?.events.find(({ event }) => event.type === "iteration_started")?.at ?? -1;
    expect(follower.iteration(at).map(({ type }) => type)).toEqual([
      "iteration_started",
      "agent_text",
      "iteration_started",
      "agent_text",
    ]);
  });
});

test("the overview of a long journal omits only old bulk", () => {
  const bodies = Array.from(
    { length: 900 },
    (_, n): EventBody => (n % 3 === 0 ? note(`n${n} "type":"agent_text"`) : bulk("日本 ".repeat(200))),
  );
  begin(FIRST, bodies);
  appendFileSync(journal(FIRST), line(note("last"), FIRST).slice(0, 30));
  const { events, end } = readOverview(journal(FIRST));
  const notes = (list: readonly RalphEvent[]) => list.flatMap((event) => (event.type === "note" ? [event.text] : []));
  expect(notes(events.map(({ event }) => event))).toEqual(
    bodies.flatMap((body) => (body.type === "note" ? [body.text] : [])),
  );
  expect(events.length).toBeLessThan(900);
  expect(events.at(-1)?.event.type).toBe("agent_text");
  const whole = Bun.file(journal(FIRST)).size - 30;
  expect(end).toBe(whole);
});
