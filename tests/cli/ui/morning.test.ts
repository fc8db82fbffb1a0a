import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMorningReader } from "../../../src/cli/ui/morning.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("morning");

const RUNS = 40;

function beginRun(number: number): void {
  const run = `${String(number).padStart(4, "0")}-20260304-120000`;
  const envelope = { v: 1, seq: 1, at: "2026-03-04T12:00:00.000Z", run, iteration: 0 };
  const begin = { type: "run_started", version: "1.0.0", driver: "demo", started_by: "cli", pid: 1, project: dir };
  mkdirSync(join(dir, ".ralph/runs", run), { recursive: true });
  writeFileSync(
    join(dir, ".ralph/runs", run, "events.jsonl"),
    `${JSON.stringify({ ...envelope, ...begin, settings: {}, state: initialState(dir) })}\n`,
  );
}

test("the server answers others while the journals of many runs are read", async () => {
  for (let number = 1; number <= RUNS; number += 1) beginRun(number);
  let turns = 0;
  let isRead = false;
  const turn = () => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  const looked = { looked_at: "2026-01-01T00:00:00.000Z", accepted: [] };
  const { projects } = await createMorningReader()([dir], looked, Date.parse("2026-03-05T00:00:00.000Z"));
  isRead = true;
  expect(projects[0]?.fault).toBeNull();
  expect(turns).toBeGreaterThan(RUNS / 2);
});
