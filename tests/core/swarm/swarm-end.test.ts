import { describe, expect, test } from "bun:test";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import { redTargetEnd, swarmEnd } from "../../../src/core/swarm/swarm-end.ts";
import type { WorkTask } from "../../../src/core/tasks/task-graph.ts";

const task = (id: string, more: Partial<WorkTask> = {}): WorkTask => ({
  ...{ id, name: null, text: id, section: null, done: false, optional: false, after: [] },
  ...more,
});
const done = { done: true };
const kept = { held: "deferred" } as const;
const parked = (id: string): [string, TaskClaim] => [
  id,
  { state: "parked", task: id, text: "", worker: { name: "w" }, branch: null, why: "It asks.", tries: 0 },
];
const begun = (id: string): [string, TaskClaim] => [
  id,
  { state: "claimed", task: id, text: "", worker: { name: "w" }, until: 1, tries: 0 },
];
const standstill = { claims: new Map<string, TaskClaim>(), failed: null, left: [] };

describe("a swarm that stands still", () => {
  test("is done when no task is open, and says what its list keeps back", () => {
    const end = (...tasks: WorkTask[]) => swarmEnd({ ...standstill, tasks });
    expect(end(task("a", done), task("b", done))).toEqual({
      reason: "plan_complete",
      sentence: "All 2 tasks are done and landed.",
    });
    expect(end(task("a", done), task("b", kept)).sentence).toBe(
      "The task is done and landed. The list keeps back one.",
    );
    expect(end(task("a", done), task("b", kept), task("c", kept), task("d", { ...done, ...kept })).sentence).toBe(
      "All 2 tasks are done and landed. The list keeps back 2.",
    );
  });

  test("ends as its first worker that failed, unless all is done by then", () => {
    const failed = { reason: "agent_unusable", sentence: "The agent refuses the model." } as const;
    expect(swarmEnd({ ...standstill, tasks: [task("a")], failed })).toEqual(failed);
    expect(swarmEnd({ ...standstill, tasks: [task("a", done)], failed }).reason).toBe("plan_complete");
  });

  test("waits for a person where one of its open tasks does", () => {
    const tasks = [task("a"), task("b"), task("c", done), task("d", kept)];
    const claims = new Map([parked("a"), parked("c"), parked("d"), begun("b")]);
    expect(swarmEnd({ ...standstill, tasks, claims })).toEqual({
      reason: "waits_for_answer",
      sentence: "1 of 2 open tasks waits for a person's answer.",
    });
  });

  test("says what is not landed, and why the newest landing left it", () => {
    const left = [
      { name: "ralph/a", why: "its gates are red" },
      { name: "ralph/b", why: "it conflicts" },
    ];
    expect(swarmEnd({ ...standstill, tasks: [task("a"), task("b")], left })).toEqual({
      reason: "not_all_landed",
      sentence: "2 tasks are not landed: ralph/a: its gates are red; ralph/b: it conflicts.",
    });
    expect(swarmEnd({ ...standstill, tasks: [task("a")] }).sentence).toBe("One task is not landed.");
  });

  test("says once what holds up several, and ends with one full stop", () => {
    const names = ["a", "b", "c", "d", "e"];
    const left = names.map((name) => ({ name: `ralph/${name}`, why: name === "c" ? "it conflicts" : "main moves." }));
    expect(swarmEnd({ ...standstill, tasks: names.map((name) => task(name)), left }).sentence).toBe(
      "5 tasks are not landed: ralph/a, ralph/b, ralph/d, ralph/e: main moves; ralph/c: it conflicts.",
    );
    const more = [...left, { name: "ralph/f", why: "main moves." }];
    expect(swarmEnd({ ...standstill, tasks: [task("a")], left: more }).sentence).toContain(
      "ralph/a, ralph/b, ralph/d, ralph/e and 1 more: main moves",
    );
  });
});

describe("a target whose gates are red before anybody began", () => {
  const gate = { command: "npm test", ok: false, exit_code: 1, timed_out: false, tail: "", duration_ms: 1 };
  test("is named with the gate, how it ended and which tests failed", () => {
    const { reason, sentence } = redTargetEnd({ ...gate, failing: ["adds\n two", "sums"] }, "main");
    expect(reason).toBe("not_all_landed");
    expect(sentence).toStartWith("The gates of main are red before anybody began: `npm test` ");
    expect(sentence).toContain(" (adds two, sums). No worker could hand in");
    expect(sentence).toContain("Mend main first");
  });

  test("is named without failing tests where none are known, and a hidden gate without its command", () => {
    expect(redTargetEnd(gate, "main").sentence).not.toContain("(");
    expect(redTargetEnd({ ...gate, failing: [] }, "main").sentence).not.toContain("(");
    const hidden = redTargetEnd(
      { ...gate, command: "hidden gate 1", hidden: { number: 1, requirement: null } },
      "main",
    ).sentence;
    expect(hidden).toContain("began: hidden gate 1 ");
  });
});
