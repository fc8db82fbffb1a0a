import { expect, test } from "bun:test";
import { landWords } from "../../../src/core/land/words.ts";

test("the files in conflict are those of the event, and no words of the message; an older journal has none", () => {
  const message = "It did not land.\n\nIn conflict:\n- of the message.txt";
  const about = { type: "land_returned", branch: "mine", task: null, text: null, message } as const;
  const returned = { ...about, why: "conflict", claim: "kept" } as const;
  const told = (files?: string[]) =>
    landWords({ ...returned, ...(files === undefined ? {} : { files }) } as never).text;
  expect(told(["a.txt", "b.txt"])).toContain("with what is on the target (a.txt, b.txt); it stays");
  expect(told()).toContain("with what is on the target; it stays");
});
