import { describe, expect, test } from "bun:test";
import { BACK, type Gone, LEFT } from "../../../src/cli/ask/asker.ts";
import { askSteps } from "../../../src/cli/ask/steps.ts";

/** Asks three questions, of which the second is asked only if the first has no answer "b", with these replies in turn. */
async function walk(...replies: (string | Gone)[]) {
  const asked: string[] = [];
  const step = (id: string, skip?: (given: readonly string[]) => boolean) => ({
    id,
    ...(skip === undefined ? {} : { skip }),
    async ask(given: readonly string[]) {
      asked.push(id);
      const reply = replies.shift() ?? LEFT;
      return typeof reply === "symbol" ? reply : [...given, reply];
    },
  });
  const steps = [step("one"), step("two", ([first]) => first === "b"), step("three")];
  return { end: await askSteps(steps, []), asked: asked.join(" ") };
}

describe("steps", () => {
  test("are asked in their order, and what one answer makes needless is not", async () => {
    expect(await walk("a", "b", "c")).toEqual({ end: ["a", "b", "c"], asked: "one two three" });
    expect(await walk("b", "c")).toEqual({ end: ["b", "c"], asked: "one three" });
  });

  test("go back to what was asked before, past what was skipped, and forget its answer", async () => {
    expect(await walk("b", BACK, "a", "x", "y")).toEqual({ end: ["a", "x", "y"], asked: "one three one two three" });
    expect(await walk("a", "b", BACK, BACK, "b", "c")).toEqual({
      end: ["b", "c"],
      asked: "one two three two one three",
    });
  });

  test("ask the first again if there is none before it, and end when the user leaves", async () => {
    expect(await walk(BACK, BACK, "b", LEFT)).toEqual({ end: LEFT, asked: "one one one three" });
  });
});
