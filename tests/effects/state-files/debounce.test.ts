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

test("what is put off is done a moment later, once", () => {
  const { due, done, moments, moment } = putOff();
  due.schedule("a");
  expect(done).toEqual([]);
  moment();
  expect([done, moments]).toEqual([["a"], []]);
});

test("of several in a moment the last one is done", () => {
  const { due, done, moments, moment } = putOff();
  due.schedule("a");
  due.schedule("b");
  due.update("c");
  expect(moments).toHaveLength(1);
  moment();
  expect(done).toEqual(["c"]);
});

test("where nothing is due, nothing newer is either", () => {
  const { due, done, moments } = putOff();
  due.update("a");
  expect([done, moments]).toEqual([[], []]);
});

test("what was cancelled is not done, and what is put off after it waits for the same moment", () => {
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
