import { expect, test } from "bun:test";
import { createDebounced } from "../../../src/effects/state-files/debounce.ts";

function putOff() {
  const done: string[] = [];
  const moments: (() => void)[] = [];
  const due = createDebounced<string>(
    (callBack) => void moments.push(callBack),
    (value) => void done.push(value),
  );
  return { due, done, moments, moment: () => moments.shift()?.() };
}

test("scheduled work runs once, a moment later", () => {
  const { due, done, moments, moment } = putOff();
  due.schedule("a");
  expect(done).toEqual([]);
  moment();
  expect([done, moments]).toEqual([["a"], []]);
});

test("of several values scheduled within a moment the last one is used", () => {
  const { due, done, moments, moment } = putOff();
  due.schedule("a");
  due.schedule("b");
  due.update("c");
  expect(moments).toHaveLength(1);
  moment();
  expect(done).toEqual(["c"]);
});

test("an update without scheduled work does nothing", () => {
  const { due, done, moments } = putOff();
  due.update("a");
  expect([done, moments]).toEqual([[], []]);
});

test("cancelled work does not run, and work scheduled after it waits for the same moment", () => {
  const { due, done, moments, moment } = putOff();
  due.schedule("a");
  due.cancel();
  moment();
  expect(done).toEqual([]);
  due.schedule("b");
  due.cancel();
  due.schedule("c");
  expect(moments).toHaveLength(1);
  moment();
  expect(done).toEqual(["c"]);
});
