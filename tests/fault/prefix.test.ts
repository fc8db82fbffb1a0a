/** Every journal that a kill can leave: each prefix of an undisturbed one, including those that end within a line. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RalphEvent } from "../../src/core/journal/event.ts";
import { openJournal } from "../../src/effects/journal/journal.ts";
import { foldRun } from "../../src/effects/journal/journal-fold.ts";
import { createRecorder } from "../../src/run/recorder.ts";
import { planRecovery } from "../../src/run/recovery.ts";
import { cleanUp, copyOf } from "../e2e/support/harness.ts";
import { testFolder } from "../folders.ts";
import { expectEveryCallCounted, expectSound, finalState, planProject, TASKS } from "./plan-run.ts";

let journal = Buffer.alloc(0);
let run = "";
let undisturbed: Record<string, unknown> = {};
const folder = testFolder("prefix");
afterAll(cleanUp);

beforeAll(async () => {
  const at = planProject();
  expect((await at.ralph()).exit).toBe(0);
  run = at.runs()[0] ?? "";
  journal = readFileSync(at.path(`.ralph/runs/${run}/events.jsonl`));
  undisturbed = finalState(at);
});

/** Offsets after each line and in the middle of each line. */
function cuts(): { size: number; events: RalphEvent[] }[] {
  const events: RalphEvent[] = [];
  let start = 0;
  return journal
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const half = { size: start + Math.floor(Buffer.byteLength(line) / 2), events: [...events] };
      start += Buffer.byteLength(line) + 1;
      events.push(JSON.parse(line));
      return [half, { size: start, events: [...events] }];
    });
}

test.skipIf(process.platform === "win32")("ralph goes on from every prefix of a journal to the same end", async () => {
  const queue = cuts();
  const made = Array.from({ length: TASKS + 1 }, (_, ticked) => planProject(ticked));
  const lane = async () => {
    for (let cut = queue.shift(); cut !== undefined; cut = queue.shift()) {
      const finished = cut.events.some(({ type }) => type === "run_finished");
      const of = made[cut.events.filter(({ type }) => type === "agent_finished").length];
      if (of === undefined) throw new Error("more calls than tasks");
      const at = copyOf(of);
      at.write(`.ralph/runs/${run}/events.jsonl`, journal.subarray(0, cut.size).toString("utf8"));
      const { exit, stderr } = await at.ralph();
      expect({ size: cut.size, exit, stderr }).toEqual({ size: cut.size, exit: 0, stderr: "" });
      expect(finalState(at)).toEqual(undisturbed);
      if (cut.events.length > 0) expectSound(at);
      expectEveryCallCounted(at);
      const kept = cut.events.length === 0 ? [] : at.events(1).slice(0, cut.events.length);
      expect(kept).toEqual(cut.events);
      if (!finished && cut.events.length > 0) expect(at.event("run_recovered", 2)).toMatchObject({ of_run: run });
    }
  };
  await Promise.all([lane(), lane(), lane()]);
});

describe("a journal cut at any byte", () => {
  test("is read up to its last whole line, and the next event follows", () => {
    const dir = join(folder, run);
    mkdirSync(dir);
    const path = join(dir, "events.jsonl");
    const lines = journal.toString("utf8").split("\n");
    for (let size = 0; size <= journal.length; size += 97) {
      const prefix = journal.subarray(0, size);
      const whole = prefix.toString("latin1").split("\n").length - 1;
      writeFileSync(path, prefix);
      expect(foldRun(folder, run, "/p").state.seq).toBe(whole);
      const opened = openJournal(dir);
      opened.write([{ v: 1, seq: whole + 1, at: "", run, iteration: 0, type: "note", level: "info", text: "next" }]);
      opened.close();
      const after = readFileSync(path, "utf8").split("\n");
      expect(after.slice(0, whole)).toEqual(lines.slice(0, whole));
      expect(JSON.parse(after[whole] ?? "")).toMatchObject({ seq: whole + 1, text: "next" });
    }
  });

  test("is closed by the missing ends, once", () => {
    for (const { events } of cuts()) {
      const dir = join(folder, "fold", run);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, "events.jsonl"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      const { state } = foldRun(join(folder, "fold"), run, "/p");
      const recorder = createRecorder({ run, state, now: () => 0, write: () => {}, sync: () => {}, subscribers: [] });
      recorder.appendAll(planRecovery(state)?.closing ?? []);
      expect(recorder.state()).toMatchObject({ open: null, wait: null });
      expect(planRecovery(recorder.state())?.closing ?? []).toEqual([]);
    }
  });
});

test("an event whose write fails changes no state, reaches no subscriber and leaves its number free", () => {
  const told: number[] = [];
  let room = 0;
  const recorder = createRecorder({
    run,
    state: foldRun(folder, run, "/p").state,
    now: () => 0,
    write: () => {
      if (room === 0) throw new Error("full");
      room -= 1;
    },
    sync: () => {},
    subscribers: [{ name: "a reader", onEvents: (steps) => told.push(...steps.map(({ event }) => event.seq)) }],
  });
  const before = recorder.state();
  const note = { type: "note", level: "info", text: "x" } as const;
  expect(() => recorder.append(note)).toThrow("full");
  expect({ state: recorder.state() === before, told }).toEqual({ state: true, told: [] });
  room = 1;
  recorder.append(note);
  expect(told).toEqual([before.seq + 1]);
});
