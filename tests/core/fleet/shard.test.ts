import { describe, expect, test } from "bun:test";
import { describeShard, fromShard, shardOf } from "../../../src/core/fleet/shard.ts";
import { taskEnd } from "../../../src/core/fleet/task-end.ts";

describe("which worker this is", () => {
  test.each([
    ["Kubernetes", { JOB_COMPLETION_INDEX: "2", JOB_COMPLETIONS: "8" }, "worker 3 of 8"],
    ["Slurm", { SLURM_ARRAY_TASK_ID: "3", SLURM_ARRAY_TASK_COUNT: "8", SLURM_ARRAY_TASK_MIN: "1" }, "worker 3 of 8"],
    ["Slurm, whose array begins at 0", { SLURM_ARRAY_TASK_ID: "2", SLURM_ARRAY_TASK_COUNT: "8" }, "worker 3 of 8"],
    [
      "Slurm, with gaps",
      { SLURM_ARRAY_TASK_ID: "9", SLURM_ARRAY_TASK_COUNT: "3", SLURM_ARRAY_TASK_MIN: "1" },
      "worker 3 of 3",
    ],
    ["GitHub Actions", { RALPH_JOB_INDEX: "0", RALPH_JOB_TOTAL: "4" }, "worker 1 of 4"],
    ["GitLab", { CI_NODE_INDEX: "1", CI_NODE_TOTAL: "4" }, "worker 1 of 4"],
    ["Buildkite", { BUILDKITE_PARALLEL_JOB: "0", BUILDKITE_PARALLEL_JOB_COUNT: "4" }, "worker 1 of 4"],
    ["CircleCI", { CIRCLE_NODE_INDEX: "3", CIRCLE_NODE_TOTAL: "4" }, "worker 4 of 4"],
    ["Nomad, which tells no count", { NOMAD_ALLOC_INDEX: "2" }, "worker 3 of 3"],
  ])("is what %s says", (_, env, worker) => {
    expect(describeShard(shardOf("", env))).toBe(worker);
  });

  test.each([
    ["no number of workers", { JOB_COMPLETION_INDEX: "0", JOB_COMPLETIONS: "0" }, "Kubernetes says nonsense"],
    [
      "a number before the first",
      { CI_NODE_INDEX: "0", CI_NODE_TOTAL: "4" },
      "GitLab says nonsense: CI_NODE_INDEX is 0.",
    ],
    ["an index that is none", { CI_NODE_INDEX: "one", CI_NODE_TOTAL: "4" }, "No scheduler says which worker this is"],
  ])("is nobody's with %s", (_, env, told) => {
    expect(() => shardOf("", env)).toThrow(told);
  });

  test("is what the flag says, whatever a scheduler does", () => {
    expect(shardOf("2/8", { CI_NODE_INDEX: "1", CI_NODE_TOTAL: "4" })).toEqual({ index: 1, count: 8 });
    expect(describeShard(shardOf(" 8/8 ", {}))).toBe("worker 8 of 8");
    for (const wrong of ["0/8", "9/8", "1/0", "1", "1/8/2", "-1/8", "a/b"])
      expect(() => shardOf(wrong, {})).toThrow(wrong);
  });

  test("says where it begins to look: each in a part of its own, and none leaves any out", () => {
    const list = ["a", "b", "c", "d", "e"];
    const looks = [0, 1, 2].map((index) => fromShard(list, { index, count: 3 }).join(""));
    expect(looks).toEqual(["abcde", "bcdea", "deabc"]);
    expect(fromShard([], { index: 1, count: 2 })).toEqual([]);
  });
});

test.each([
  ["plan_complete", 0, "handed_in", true],
  ["waits_for_answer", 0, "parked", true],
  ["blocked", 0, "parked", true],
  ["stagnation_detected", 0, "unfinished", true],
  ["stagnation_detected", 1, "parked", true],
  ["gate_weakened", 1, "parked", true],
  ["agent_unusable", 5, "given_back", false],
  ["max_cost", 5, "given_back", false],
] as const)("a task whose run ended by %s, after %i others, is %s", (reason, tries, outcome, goesOn) => {
  expect(taskEnd(reason, tries)).toEqual({ outcome, goesOn });
});
