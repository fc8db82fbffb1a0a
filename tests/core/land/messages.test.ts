import { describe, expect, test } from "bun:test";
import type { GateRecord } from "../../../src/core/decide/gate-rules.ts";
import { conflictMessage, landMessage, redMessage, weakerMessage } from "../../../src/core/land/messages.ts";

describe("the commit that lands a branch", () => {
  test("names task and branch, and without a task the branch alone", () => {
    expect(landMessage("ralph/one", { id: "0123", text: "Add one" })).toBe(
      "Land: Add one\n\nRalph-Task: 0123\nRalph-Branch: ralph/one\n",
    );
    expect(landMessage("topic", null)).toBe("Land: topic\n\nRalph-Branch: topic\n");
  });

  test.each([
    ["fits just so", "x".repeat(66), false],
    ["is cut in a word", "x".repeat(67), true],
    ["is cut behind a blank", `${"x".repeat(64)} and so on`, true],
  ])("has a task in its own words where the subject lacks some of them: one that %s", (_, text, isCut) => {
    const [subject = "", , ...body] = landMessage("b", { id: "1", text }).split("\n");
    expect(subject.length).toBeLessThanOrEqual(72);
    expect(subject.endsWith("…")).toBe(isCut);
    expect(body).toEqual([...(isCut ? [text, ""] : []), "Ralph-Task: 1", "Ralph-Branch: b", ""]);
  });
});

describe("what the author of a branch is told", () => {
  const gate: GateRecord = {
    command: "npm test",
    ok: false,
    exit_code: 1,
    timed_out: false,
    tail: "a\n1 failed\n\n",
  };
  const hidden = { ...gate, command: "hidden gate 1" };

  test("of a red gate, what it names and what it printed", () => {
    expect(redMessage({ ...gate, failing: ["not ok 1 - adds"] }, "main")).toBe(
      `This work did not land: with it on main, \`npm test\` failed with exit code 1, twice on the same files. Without it main passes.

It names:
\`\`\`
not ok 1 - adds
\`\`\`

What it printed:

\`\`\`
a
1 failed
\`\`\``,
    );
    expect(redMessage(gate, "main")).not.toContain("It names");
  });

  test("of a hidden gate, what it requires and nothing that it printed", () => {
    const told = redMessage({ ...hidden, hidden: { number: 1, requirement: "adding works" } }, "main");
    expect(told).toContain("with it on main, hidden gate 1 failed with exit code 1");
    expect(told).toEndWith("\n\nIt requires: adding works");
    expect(redMessage({ ...hidden, hidden: { number: 1, requirement: null } }, "main")).toEndWith(
      "It requires: something that is not told",
    );
  });

  test("of weaker gates, where, and in which change", () => {
    const reasons = [{ path: "a.test.ts", line: 3, what: "an assertion is gone" }];
    const told = weakerMessage(reasons, "-expect(1)", "main");
    expect(told).toStartWith(
      "This work did not land: it makes the gates of main weaker, and fails them as they are.\n\n- ",
    );
    expect(told).toContain("a.test.ts");
    expect(told).toContain("```diff\n-expect(1)\n```\n\nMake the work pass the gates as they are on the target.");
    expect(weakerMessage(reasons, "", "main")).not.toContain("```");
  });

  test("of a conflict, both sides, in fences that what they hold cannot end", () => {
    const sides = {
      paths: ["a.md", "b.ts"],
      mine: { words: "Add one", diff: "+```ts" },
      theirs: { words: ["Land: two"], diff: "+two" },
      said: null,
    };
    expect(conflictMessage(sides, "main")).toBe(`This work did not land: it conflicts with what is on main by now.

In conflict:
- a.md
- b.ts

What this work was to do: Add one

What it changed there:
\`\`\`\`diff
+\`\`\`ts
\`\`\`\`

What was landed meanwhile:
- Land: two

What that changed there:
\`\`\`diff
+two
\`\`\`

Bring main into this branch, keep what both were to do, and run the checks.`);
    const unnamed = conflictMessage({ ...sides, theirs: { words: [], diff: "" } }, "main");
    expect(unnamed).toContain("What was landed meanwhile:\n- (no commit names them)");
  });

  test("of a branch that git cannot merge at all, what git says", () => {
    const none = { words: "Add one", diff: "" };
    const told = conflictMessage(
      { paths: [], mine: none, theirs: { words: [], diff: "" }, said: "no common commit" },
      "main",
    );
    expect(told).toContain("git says: no common commit");
    expect(told).not.toContain("In conflict");
  });
});
