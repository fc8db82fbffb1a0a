import { expect, test } from "bun:test";
import type { LookResult } from "../../../src/core/journal/event.ts";
import { looksAfterBreak, looksAfterIteration, looksAfterLook, noLooks } from "../../../src/core/look/look-state.ts";
import { evidenceOf } from "../given.ts";

const before = { ...noLooks(), changed: true, made: 3, clean: 1, failed: 1 };

test("a look at work that changed since does not count any more", () => {
  expect(looksAfterIteration(before, evidenceOf({ progress: true }))).toMatchObject({ clean: 0, failed: 0 });
  expect(looksAfterIteration(before, evidenceOf({ progress: false }))).toEqual(before);
  expect(looksAfterBreak(before)).toMatchObject({ changed: true, clean: 0 });
});

test("looks without a gap count in a row, and so do those that came to nothing", () => {
  const after = (result: LookResult) => {
    const envelope = { v: 1, seq: 1, at: "", run: "r", iteration: 1 } as const;
    const { clean, failed, made } = looksAfterLook(before, {
      ...envelope,
      type: "look_finished",
      call: 2,
      result,
      gap: null,
      sentence: "",
    });
    return { clean, failed, made };
  };
  expect(after("none")).toEqual({ clean: 2, failed: 0, made: 3 });
  expect(after("gap")).toEqual({ clean: 0, failed: 0, made: 3 });
  expect(after("failed")).toEqual({ clean: 1, failed: 2, made: 3 });
  expect(after("limited"), "it is made again").toEqual({ clean: 1, failed: 1, made: 2 });
});
