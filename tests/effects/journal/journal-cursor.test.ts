import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCursor } from "../../../src/effects/journal/journal-cursor.ts";
import { readOverview } from "../../../src/effects/journal/journal-tail.ts";
import { testFolder } from "../../folders.ts";
import { runningRun } from "../../view/sample-run.ts";

const folder = testFolder("cursor");

function journal(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("a journal is read event by event, and again from any position", () => {
  const path = journal("whole", runningRun.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const cursor = openCursor(path);
  const read = () => {
    const seqs: number[] = [];
    for (let event = cursor.next(); event !== null; event = cursor.next()) {
      seqs.push(event.seq);
      cursor.skip();
    }
    return seqs;
  };
  expect(cursor.share()).toBe(0);
  expect(cursor.next()).toBe(cursor.next());
  expect(read()).toEqual(runningRun.map(({ seq }) => seq));
  expect([cursor.share(), cursor.next()]).toEqual([1, null]);
  const { events } = readOverview(path);
  const second = events.find(({ event }) => event.type === "iteration_started" && event.number === 2);
  cursor.seek(second?.at ?? 0);
  expect(cursor.share()).toBeGreaterThan(0.1);
  expect(read()[0]).toBe(second?.event.seq ?? 0);
  cursor.close();
});

test("damaged lines and a torn end are skipped", () => {
  const [first, second] = runningRun.map((event) => JSON.stringify(event));
  const cursor = openCursor(journal("torn", `${first}\nnoise\n${second}\n{"v":1,"se`));
  cursor.skip();
  expect(cursor.next()?.seq).toBe(2);
  cursor.skip();
  expect([cursor.next(), cursor.share()]).toEqual([null, expect.any(Number)]);
  cursor.skip();
  expect(cursor.share()).toBe(1);
  cursor.close();
});

test("the cursor of an empty journal is at its end", () => {
  const cursor = openCursor(journal("empty", ""));
  expect([cursor.next(), cursor.share()]).toEqual([null, 1]);
  cursor.close();
});
