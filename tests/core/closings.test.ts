import { expect, test } from "bun:test";
import { withClosings } from "../../src/core/closings.ts";

const fails = (words: string) => () => {
  throw new Error(words);
};

test("each closing step is done whatever the others do, in their order, and the first error is told", async () => {
  const done: string[] = [];
  const step = (name: string) => () => void done.push(name);
  const steps = [step("a"), fails("closing"), async () => fails("late")(), step("b")];
  const closed = (work: () => Promise<string>, ...more: (() => unknown)[]) => withClosings(work, [...more, step("c")]);
  expect(await closed(async () => "worked")).toBe("worked");
  await expect(closed(async () => "worked", ...steps)).rejects.toThrow("closing");
  await expect(closed(async () => fails("work")(), ...steps)).rejects.toThrow("work");
  expect(done).toEqual(["c", "a", "b", "c", "a", "b", "c"]);
});
