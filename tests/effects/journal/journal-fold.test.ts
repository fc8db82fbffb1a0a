import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { foldNewestRun, foldRuns } from "../../../src/effects/journal/journal-fold.ts";
import { play, runStarted } from "../../core/state-files/script.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("fold");

function journal(runs: string, name: string, text: string): void {
  mkdirSync(join(runs, name), { recursive: true });
  writeFileSync(join(runs, name, "events.jsonl"), text);
}

const whole = play(runStarted())
  .map(({ event }) => `${JSON.stringify(event)}\n`)
  .join("");

test.each([
  ["an empty journal", ""],
  ["a journal whose first line is damaged", `garbage\n${whole.replace("run_started", "note")}`],
])("%s is skipped: the state is that of the run before", (name, text) => {
  const runs = join(root, name);
  journal(runs, "0001-20260101-000000", whole);
  journal(runs, "0002-20260101-000001", text);
  expect(foldNewestRun(runs, "/p")?.run).toBe("0001-20260101-000000");
});

test("a run is named as its folder, whatever its journal says: that may be a clone's", () => {
  const runs = join(root, "named");
  journal(runs, "0007-20260101-000000", whole);
  expect(foldNewestRun(runs, "/p")?.state.run).toBe("0007-20260101-000000");
  expect([...foldRuns(runs, "/p")].map(({ run }) => run)).toEqual(["0007-20260101-000000"]);
});

test("without a readable run there is no newest run", () => {
  const runs = join(root, "none");
  journal(runs, "0001-20260101-000000", "");
  expect(foldNewestRun(runs, "/p")).toBeNull();
});
