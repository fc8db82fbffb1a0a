import { describe, expect, test } from "bun:test";
import { landWords } from "../../../src/core/land/words.ts";
import { recorded } from "../given.ts";

test("the files in conflict are those of the event, and no words of the message; an older journal has none", () => {
  const message = "It did not land.\n\nIn conflict:\n- of the message.txt";
  const about = { type: "land_returned", branch: "mine", task: null, text: null, message } as const;
  const returned = { ...about, why: "conflict", claim: "kept" } as const;
  const told = (files?: string[]) =>
    landWords({ ...returned, ...(files === undefined ? {} : { files }) } as never).text;
  expect(told(["a.txt", "b.txt"])).toContain("with what is on the target (a.txt, b.txt); it stays");
  expect(told()).toContain("with what is on the target; it stays");
});

describe("each event of landing in a sentence", () => {
  const commit = "0123456789abcdef";
  const branch = (name: string, text: string | null) => ({ name, commit, task: null, text });

  test("what is to be tested, with the first four by name and how many wait", () => {
    const stacked = { type: "land_stacked", target: "main", base: "0", tip: "1" } as const;
    const names = ["a", "b", "c", "d"];
    expect(landWords(recorded({ ...stacked, branches: names, waiting: 0 }))).toEqual({
      tone: "quiet",
      text: "On main, to be tested: a, b, c, d",
    });
    const more = { ...stacked, branches: [...names, "e"] };
    expect(landWords(recorded({ ...more, waiting: 1 })).text).toBe(
      "On main, to be tested: a, b, c, d and 1 more; 1 more waits",
    );
    expect(landWords(recorded({ ...more, waiting: 2, untested: true })).text).toBe(
      "On main, nothing tests it: a, b, c, d and 1 more; 2 more wait",
    );
  });

  test("what the gates said", () => {
    const tested = { type: "land_tested", target: "main", commit, ms: 1 } as const;
    const told = (branches: string[], green: boolean, flaky: string[] = []) =>
      landWords(recorded({ ...tested, branches, green, flaky }));
    expect(told(["a"], true)).toEqual({ tone: "good", text: "Green: main with a" });
    expect(told([], true)).toEqual({ tone: "good", text: "Green: main" });
    expect(told(["a", "b"], false, ["npm test"])).toEqual({ tone: "bad", text: "Red: main with a, b" });
    expect(told(["a"], true, ["npm\ntest", "make"])).toEqual({
      tone: "warn",
      text: "Flaky, red and then green on the same files (npm test, make): main with a",
    });
  });

  test("what landed, by its task where there is one, and what was ticked for it", () => {
    const landed = { type: "landed", target: "main", from: "0", to: commit } as const;
    const branches = [branch("ralph/one", "Add one"), branch("topic", null)];
    expect(landWords(recorded({ ...landed, branches }))).toEqual({
      tone: "good",
      text: "Landed on main (0123456): Add one, topic",
    });
    expect(landWords(recorded({ ...landed, branches, ticked: ["Add one"] })).text).toEndWith(
      "Add one, topic; ticked in the plan: “Add one”",
    );
    expect(landWords(recorded({ ...landed, from: commit, branches, ticked: ["x"] })).text).toBe(
      "On main already: Add one, topic; ticked in the plan: “x”",
    );
  });

  test("what came back, why, and what becomes of it", () => {
    const returned = { type: "land_returned", branch: "topic", task: null, message: "" } as const;
    expect(landWords(recorded({ ...returned, text: "Add\none", why: "red", claim: "returned" }))).toEqual({
      tone: "bad",
      text: "Not landed: Add one: its gates are red; it goes back to its author.",
    });
    expect(landWords(recorded({ ...returned, text: null, why: "weaker", claim: "parked" })).text).toBe(
      "Not landed: topic: it makes the gates weaker; it came back too often and waits for you.",
    );
    expect(landWords(recorded({ ...returned, text: null, why: "conflict", claim: "gone", files: ["a"] })).text).toBe(
      "Not landed: topic: it conflicts with what is on the target (a); somebody else has taken it up.",
    );
  });

  test("what holds all of them up", () => {
    const held = { type: "land_held", target: "main", text: "a file\nis in the way" } as const;
    expect(landWords(recorded({ ...held, why: "moved" }))).toEqual({
      tone: "warn",
      text: "main was moved by somebody else: tested again on what it is now.",
    });
    expect(landWords(recorded({ ...held, why: "refused" })).text).toBe("main cannot be moved: a file is in the way");
    expect(landWords(recorded({ ...held, why: "red_target" })).text).toBe(
      "Nothing can land while main itself is red: a file is in the way",
    );
  });
});
