import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import {
  type ListedTask,
  listedInPlan,
  saidPlaces,
  type TaskGraph,
  taskGraph,
  type WorkTask,
  withAfter,
} from "../../../src/core/tasks/task-graph.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { seed } from "../../seed.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const graphOf = (text: string) => taskGraph(listedInPlan(parsePlan(text, ["Later"])), hash);

/** Each task with the words of those that it waits for. */
function waits({ tasks }: TaskGraph): Record<string, string[]> {
  const words = new Map(tasks.map(({ id, text }) => [id, text]));
  return Object.fromEntries(tasks.map(({ text, after }) => [text, after.map((id) => words.get(id) ?? id)]));
}

/** The open tasks that wait for nothing open. */
function readyTasks({ tasks }: TaskGraph): WorkTask[] {
  const done = new Set(tasks.filter((task) => task.done).map(({ id }) => id));
  return tasks.filter((task) => !task.done && task.after.every((id) => done.has(id)));
}

const EPICS = "## A\n- [x] a1\n- [ ] a2\n- [ ] a3\n## B\n- [ ] b1\n- [ ] b2\n## Later\n- [ ] z\n";

describe("what a task waits for", () => {
  test("is the one before it in its section, where there are several", () => {
    expect(waits(graphOf(EPICS))).toEqual({ a1: [], a2: ["a1"], a3: ["a2"], b1: [], b2: ["b1"], z: [] });
    expect(readyTasks(graphOf(EPICS)).map(({ text }) => text)).toEqual(["a2", "b1", "z"]);
  });

  test("is nothing in a list with one section, or none", () => {
    for (const text of ["- [ ] one\n- [ ] two\n", "# Plan\n## Tasks\n- [ ] one\n- [ ] two\n"])
      expect(waits(graphOf(text))).toEqual({ one: [], two: [] });
  });

  test("is what is said, where anything is said: a name, a number, words or their beginning", () => {
    const graph = graphOf(
      '## A\n- [ ] 1.1 Add the store (after: "the login")\n- [ ] the login\n## B\n- [ ] T7: the page after: 1.1, the login\n- [ ] last (after: 3)\n- [ ] free\n',
    );
    expect(graph.faults).toEqual([]);
    expect(waits(graph)).toEqual({
      "1.1 Add the store": ["the login"],
      "the login": [],
      "T7: the page": ["1.1 Add the store", "the login"],
      last: ["T7: the page"],
      free: [],
    });
  });
});

test("a task may wait for a place in the list", () => {
  const task = { name: "1", text: "same", section: null, done: false, optional: false, after: [] };
  const { tasks } = taskGraph([task, { ...task, after: [2] }, { ...task, held: "deferred" }], hash);
  expect(tasks.map(({ after }) => after)).toEqual([[], [tasks[2]?.id ?? ""], []]);
  expect(tasks.map(({ held }) => held)).toEqual([undefined, undefined, "deferred"]);
});

test("a name that no task has, and a circle, are told", () => {
  expect(graphOf("- [ ] one (after: nine)\n- [ ] two\n").faults).toEqual([
    'The task "one" waits for "nine", which is no other task of the plan.',
  ]);
  const circle = graphOf("- [ ] one (after: two)\n- [ ] two (after: three)\n- [ ] three (after: one)\n- [ ] free\n");
  expect(circle.faults).toEqual(['The task "one" waits for itself, by way of what it waits for.']);
  expect(readyTasks(circle).map(({ text }) => text)).toEqual(["free"]);
});

test("an id is that of the words and the section, wherever the task stands, and no other task has it", () => {
  const before = graphOf("## A\n- [ ] same\n- [ ] same\n## B\n- [ ] same\n");
  const ids = before.tasks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => /^[0-9a-f]{12}$/.test(id))).toBe(true);
  const after = graphOf("## B\n- [x] same (after: new)\n## A\n- [ ] new\n- [ ] same\n");
  expect([after.tasks[0]?.id, after.tasks[2]?.id]).toEqual([ids[2], ids[0]]);
});

test("whatever the plan, doing what is ready again and again does every task that waits for no circle", () => {
  const line = fc.tuple(fc.nat({ max: 9 }), fc.option(fc.nat({ max: 9 })), fc.boolean());
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
      const text = lines.map(
        ([section, after], at) => `## S${section}\n- [ ] t${at}${after === null ? "" : ` (after: t${after})`}\n`,
      );
      let graph = graphOf(text.join(""));
      const isFine = !graph.faults.some((fault) => fault.includes("waits for itself"));
      for (let ready = readyTasks(graph); ready.length > 0; ready = readyTasks(graph)) {
        const [first] = ready;
        graph = {
          ...graph,
          tasks: graph.tasks.map((task) => (task.id === first?.id ? { ...task, done: true } : task)),
        };
      }
      expect(graph.tasks.every(({ done }) => done)).toBe(isFine);
    }),
    { seed, numRuns: 300 },
  );
});

test("two sections are enough to be worked on side by side", () => {
  expect(waits(graphOf("## A\n- [ ] a1\n- [ ] a2\n## B\n- [ ] b1\n"))).toEqual({ a1: [], a2: ["a1"], b1: [] });
});

test("names are found in any case: a name before a place, whole words before their beginning, the first of several", () => {
  const graph = graphOf(
    '- [ ] T1: first\n- [ ] Add\n- [ ] Add more\n- [ ] 2 of a kind\n- [ ] x (After: t1)\n- [ ] y (after: 2)\n- [ ] z (after: ADD, ,)\n- [ ] v (after: add m)\n- [ ] no (after: 1) words\n- [ ] q (after: 1, "add more")\n',
  );
  expect(graph.faults).toEqual([]);
  expect(waits(graph)).toMatchObject({ x: ["T1: first"], y: ["2 of a kind"], z: ["Add"], v: ["Add more"] });
  expect(waits(graph)["no (after: 1) words"]).toEqual([]);
  expect(waits(graph).q).toEqual(["T1: first", "Add more"]);
});

test("what a task waits for is written so that exactly those tasks are meant, whatever their words", () => {
  const word = fc.constantFrom("a", "b", "2", "1.", "T1:", "(c)", '"d"', "a,", "after:");
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(texts, fc.nat(), fc.array(fc.nat(), { maxLength: 3 }), (boxes, chosen, named) => {
      const planOf = (lines: readonly string[]) =>
        listedInPlan(parsePlan(lines.map((line) => `- [ ] ${line}\n`).join(""), []));
      const lines = boxes.map((words) => words.join(" "));
      const list = planOf(lines);
      const own = chosen % list.length;
      const places = [...new Set(named.map((one) => one % list.length))].filter((place) => place !== own);
      const words = withAfter(list)(own, places);
      if (words !== null && places.length > 0) expect(saidPlaces(planOf(lines.with(own, words)))(own)).toEqual(places);
    }),
    { seed, numRuns: 500 },
  );
  const list = listedInPlan(parsePlan("- [ ] Add it (fast), now\n- [ ] 2.1 more\n- [ ] last (after: 9)\n", []));
  expect(withAfter(list)(2, [0, 1])).toBe('last (after: "Add it", 2.1)');
  expect(withAfter(list)(2, [])).toBe("last");
});

test("whatever the list, a name means the task that a look at each of them finds, and a circle is told as often as one is there", () => {
  /** As it is said: a name before a number, then whole words, then their beginning, and the first of several. */
  const meant = (list: readonly ListedTask[], name: string, own: number): number[] => {
    const wanted = name.toLowerCase();
    const kinds: ((task: ListedTask, at: number) => boolean)[] = [
      (task) => task.name?.toLowerCase() === wanted,
      (_, at) => String(at + 1) === wanted,
      ({ text }) => text.toLowerCase() === wanted,
      ({ text }) => text.toLowerCase().startsWith(wanted),
    ];
    const found = kinds.map((kind) => list.findIndex((task, at) => at !== own && kind(task, at)));
    return [found.find((at) => at !== -1)].filter((at) => at !== undefined);
  };
  /** The first open task that cannot be done by doing what waits for nothing, again and again. */
  const inCircle = ({ tasks }: TaskGraph): WorkTask | undefined => {
    let open = tasks.filter(({ done }) => !done);
    for (let size = -1; size !== open.length; ) {
      size = open.length;
      const ids = new Set(open.map(({ id }) => id));
      open = open.filter(({ after }) => after.some((id) => ids.has(id)));
    }
    return open[0];
  };
  const word = fc.constantFrom("a", "A", "ab", "b", "1", "2", "0", "T1", "1.", "");
  const text = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(" "));
  const task = fc.record({
    name: fc.option(word),
    text,
    section: fc.constant(null),
    done: fc.boolean(),
    optional: fc.constant(false),
    after: fc.option(fc.array(fc.oneof(word, text), { maxLength: 3 })),
  });
  fc.assert(
    fc.property(fc.array(task, { maxLength: 9 }), (list) => {
      const said = saidPlaces(list);
      for (const [own, { after }] of list.entries())
        expect(said(own)).toEqual((after ?? []).flatMap((name) => meant(list, name, own)));
      const graph = taskGraph(list, hash);
      const stuck = inCircle(graph);
      const circle = graph.faults.filter((fault) => fault.includes("waits for itself"));
      expect(circle).toEqual(
        stuck === undefined ? [] : [`The task "${stuck.text}" waits for itself, by way of what it waits for.`],
      );
    }),
    { seed, numRuns: 1000 },
  );
});

describe("what tasks wait for is found in linear time", () => {
  const plan = (size: number, line: (at: number) => string) =>
    listedInPlan(parsePlan(Array.from({ length: size }, (_, at) => `- [ ] ${line(at)}\n`).join(""), []));
  test.each<[string, (size: number) => ListedTask[]]>([
    ["named, each after the next", (size) => plan(size, (at) => `T${at}: it (after: T${at + 1})`)],
    ["numbered, each after the one before", (size) => plan(size, (at) => `it ${at} (after: ${at})`)],
    ["by their words", (size) => plan(size, (at) => `the ${at} of it (after: "the ${at + 1}")`)],
    ["that all begin alike", (size) => plan(size, (at) => `it ${at} (after: it)`)],
  ])("in a plan of tasks %s", async (_, listOf) => {
    const places = (list: ListedTask[]) => taskGraph(list, (text) => text.padStart(12, "x"));
    expect(await growth(listOf, places, 4000)).toBeLessThan(IN_PROPORTION);
  });
});
