import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/core/journal/event.ts";
import {
  describeSpinning,
  type Headway,
  type HeadwayStep,
  iterationsWithoutHeadway,
  noHeadway,
  stepHeadway,
} from "../../../src/core/stop/headway.ts";
import { seed } from "../../seed.ts";
import { analysisOf, evidenceOf } from "../given.ts";

const openPlan = { total: 2, checked: 0, unchecked: 2, blocking_unchecked: 2 };

type Step = {
  files?: string[];
  commits?: string[];
  ticks?: number;
  denied?: string[];
  asks?: boolean;
  gates?: boolean[];
};

function stepOf({ files = [], commits = [], ticks = 0, denied, asks = false, gates = [] }: Step): HeadwayStep {
  const evidence: Partial<Evidence> = {
    progress: files.length + commits.length > 0 || ticks > 0,
    files_changed: files,
    files_changed_count: files.length,
    commits,
    plan_delta: ticks,
  };
  return {
    analysis: analysisOf({
      has_permission_denials: denied !== undefined,
      denied_commands: denied ?? [],
      asking_questions: asks,
    }),
    evidence: evidenceOf(evidence),
    gates: gates.map((ok, index) => ({ command: `gate ${index}`, ok })),
  };
}

const after = (...steps: Step[]) => steps.reduce((before, step) => stepHeadway(before, stepOf(step)), noHeadway());
const times = (n: number, step: Step) => Array.from({ length: n }, () => step);
const lost = (headway: Headway) => [
  iterationsWithoutHeadway(headway, openPlan),
  iterationsWithoutHeadway(headway, null),
];

describe("iterations without headway", () => {
  test.each<[string, Step[], number, number]>([
    ["count on one file again and again, a third where nothing measures the work", times(9, { files: ["a"] }), 9, 3],
    ["count on the same two files", times(9, { files: ["a", "b"] }), 9, 3],
    [
      "count a third where files vary and boxes are open, and not at all without",
      ["a", "b", "c", "d", "e", "f"].map((file) => ({ files: [file] })),
      2,
      0,
    ],
    [
      "begin again with other files",
      [...times(5, { files: ["a"] }), { files: ["b", "c"] }, ...times(2, { files: ["b"] })],
      3,
      1,
    ],
    ["count questions", times(5, { asks: true }), 5, 5],
    [
      "leave idle answers to the circuit breaker, which do not end a stretch",
      [...times(3, { files: ["a"] }), ...times(9, {}), { files: ["a"] }],
      4,
      1,
    ],
    [
      "begin again with a commit",
      [...times(5, { files: ["a"] }), { files: ["a"], commits: ["c"] }, { files: ["a"] }],
      1,
      0,
    ],
    ["begin again with a ticked box", [...times(5, { files: ["a"] }), { ticks: 1 }], 0, 0],
    [
      "begin again when a gate turns green that was red from the first",
      [...times(5, { files: ["a"], gates: [false] }), { files: ["a"], gates: [true] }],
      0,
      0,
    ],
  ])("%s", (_name, steps, withBoxes, without) => {
    expect(lost(after(...steps))).toEqual([withBoxes, without]);
  });

  test("are measured by commits, too, where those are usual", () => {
    const commits = times(3, { files: ["a"], commits: ["c"] });
    const stuck = times(8, { files: ["a"] });
    expect(iterationsWithoutHeadway(after(...commits, ...stuck), null)).toBe(8);
    expect(iterationsWithoutHeadway(after(...commits.slice(1), ...stuck), null)).toBe(2);
  });

  test("are described by what went on", () => {
    const sentence = (used: number, ...steps: Step[]) => describeSpinning(after(...steps), used);
    expect(sentence(3, ...times(3, { files: ["a"] }))).toEqual({
      iterations: 3,
      what: "changed nothing but a: no box ticked, no commit",
    });
    expect(sentence(2, ...times(2, { asks: true })).what).toBe("ended with a question and changed nothing");
    expect(sentence(3, ...[..."abcdefghi"].map((file) => ({ files: [file] })))).toEqual({
      iterations: 9,
      what: "ticked no box and made no commit",
    });
  });
});

describe("the same denial", () => {
  const rm = ["Bash(rm -rf /tmp/a1)"];
  test.each<[string, Step[], number]>([
    ["counts while nothing changes", times(4, { denied: rm }), 4],
    ["counts while the same file changes", times(4, { denied: rm, files: ["a"] }), 4],
    ["counts whatever its numbers and paths", [{ denied: rm }, { denied: ["Bash(rm -rf /var/b2)"] }], 2],
    ["counts from one after another", [{ denied: rm }, { denied: ["Bash(curl x)"] }], 1],
    ["ends with an answer without it", [...times(4, { denied: rm }), {}], 0],
    [
      "begins again beside real work",
      [...times(4, { denied: rm, files: ["a"] }), { denied: rm, files: ["b", "c"] }],
      1,
    ],
    ["does not count beside a commit", times(9, { denied: ["git push"], files: ["a"], commits: ["c"] }), 0],
  ])("%s", (_name, steps, expected) => expect(after(...steps).denied).toBe(expected));
});

describe("a gate", () => {
  const verdicts = (...steps: Step[]) => after(...steps).gates["gate 0"];
  test.each<[string, Step[], "red" | "green" | "turned"]>([
    ["is red", [{ gates: [false] }], "red"],
    [
      "that is green at once proves little, even after it broke",
      [{ gates: [true] }, { files: ["a"], gates: [false] }, { files: ["a"], gates: [true] }],
      "green",
    ],
    ["turns by work", [{ gates: [false] }, { files: ["a"], gates: [true] }], "turned"],
    ["does not turn without work", [{ gates: [false] }, { gates: [true] }], "green"],
  ])("%s", (_name, steps, expected) => expect(verdicts(...steps)).toBe(expected));

  test("counts as headway once", () => {
    const flip = [
      { files: ["a"], gates: [false] },
      { files: ["a"], gates: [true] },
    ];
    expect(lost(after(...flip, ...flip, ...flip))[0]).toBe(4);
  });
});

test("answers that changed nothing and were denied nothing count in a row", () => {
  const denied = { denied: ["Bash(make deploy)"] };
  expect(after({}, {}, {})).toMatchObject({ idle: 3, quiet: 3 });
  expect(after({}, denied)).toMatchObject({ idle: 2, quiet: 0 });
  expect(after({}, denied, {})).toMatchObject({ idle: 3, quiet: 1 });
  expect(after({}, { files: ["a"] })).toMatchObject({ idle: 0, quiet: 0 });
});

test("idle answers count in a row, and a run worked once it changed something", () => {
  expect(after({}, {})).toMatchObject({ idle: 2, worked: false });
  expect(after({ files: ["a"] }, {}, { asks: true })).toMatchObject({ idle: 2, worked: true });
  expect(after({}, { files: ["a"] })).toMatchObject({ idle: 0 });
});

test("no run in which each iteration commits or ticks a box ever comes near an end", () => {
  const step = fc.record({
    commits: fc.boolean(),
    files: fc.subarray(["a", "b", "c"]),
    isDenied: fc.boolean(),
    asks: fc.boolean(),
    gate: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let headway = noHeadway();
      for (const { commits, files, isDenied, asks, gate } of steps) {
        const done = commits ? { commits: ["c"] } : { ticks: 1 };
        const denied = isDenied ? { denied: ["Bash(git push)"] } : {};
        headway = stepHeadway(headway, stepOf({ files, asks, gates: [gate], ...done, ...denied }));
        expect([...lost(headway), headway.denied]).toEqual([0, 0, 0]);
      }
    }),
    { seed },
  );
});

describe("a gate that work turned green", () => {
  const red = { files: ["a"], gates: [false] };
  const green = { files: ["a"], gates: [true] };

  test("is remembered by how long ago, and by how often it had been red", () => {
    expect(after(red, red)).toMatchObject({ since_turn: null, red_answers: 2 });
    expect(after(red, red, green)).toMatchObject({ since_turn: 0, red_answers: 2 });
    expect(after(red, red, green, green)).toMatchObject({ since_turn: 1, red_answers: 2 });
  });
  test("is none that was green from the first", () => {
    expect(after(green, red, green)).toMatchObject({ since_turn: null, red_answers: 0 });
  });
});
