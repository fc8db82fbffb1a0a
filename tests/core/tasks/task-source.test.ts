import { expect, test } from "bun:test";
import fc from "fast-check";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { listSource, planSource } from "../../../src/core/tasks/task-source.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { seed } from "../../seed.ts";
import { hash, listOf, OPTIONS, readyTasks } from "./list-of.ts";

/** A task of a list, in the terms that all lists share: it waits for earlier ones. */
type Made = { title: string; done: boolean; group: number; isSide: boolean; after: number[] };

const made: fc.Arbitrary<Made[]> = fc
  .array(
    fc.record({
      title: fc.constantFrom("Add it", "Same", "[P] x", "- [ ] a", "# b", 'q"', "(after", "é 1.1 y"),
      done: fc.boolean(),
      group: fc.nat({ max: 2 }),
      isSide: fc.boolean(),
      after: fc.array(fc.nat({ max: 12 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) => list.map((task, at) => ({ ...task, after: task.after.filter((other) => other < at) })));

const json = (list: readonly unknown[]) => JSON.stringify({ userStories: list }, null, 2);
const FORMS: Record<string, { path: string; write(list: readonly Made[]): string }> = {
  "spec-kit": {
    path: "tasks.md",
    write: (list) =>
      list
        .toSorted((a, b) => a.group - b.group)
        .map(({ title, done, group, isSide }, at) => {
          const id = `T${String(at + 1).padStart(3, "0")}`;
          const head = `## Phase ${group}: ${group === 1 ? "User Story 1" : "Other"}\n`;
          return `${head}- [${done ? "x" : " "}] ${id} ${isSide ? "[P] " : ""}${title}\n`;
        })
        .join(""),
  },
  OpenSpec: {
    path: "tasks.md",
    write: (list) =>
      `## 1. Work\n${list.map(({ title, done }, at) => `- [${done ? "x" : " "}] 1.${at + 1} ${title}\n`).join("")}`,
  },
  "prd.json": {
    path: "prd.json",
    write: (list) =>
      json(
        list.map(({ title, done, group, after }, at) => ({
          id: `S${at}`,
          title,
          priority: group,
          passes: done,
          dependsOn: after.map((other) => `S${other}`),
        })),
      ),
  },
  "Task Master": {
    path: "tasks.json",
    write: (list) =>
      JSON.stringify({
        master: {
          tasks: list.map(({ title, done, isSide, after }, at) => ({
            id: at + 1,
            title,
            status: done && !isSide ? "done" : "pending",
            dependencies: after.map((other) => other + 1),
            subtasks: isSide
              ? [
                  { id: 1, title, status: done ? "done" : "pending" },
                  { id: 2, title, dependencies: [1] },
                ]
              : [],
          })),
        },
      }),
  },
  beads: {
    path: "issues.jsonl",
    write: (list) =>
      list
        .map(({ title, done, group, after }, at) =>
          JSON.stringify({
            id: `b-${at}`,
            title,
            status: done ? "closed" : "open",
            priority: group,
            dependencies: after.map((other) => ({ depends_on_id: `b-${other}`, type: "blocks" })),
          }),
        )
        .join("\n"),
  },
};

test.each(Object.keys(FORMS))(
  "whatever the list of %s, doing what is ready ends with all done, one at a time and under the same ids",
  (form) => {
    const { path, write } = FORMS[form] ?? { path: "", write: () => "" };
    fc.assert(
      fc.property(made, fc.constantFrom("\n", "\r\n"), (tasks, end) => {
        let text = write(tasks).replaceAll("\n", end);
        let list = listOf(path, text);
        expect([list.source.form, list.faults]).toEqual([form, []] as never);
        const ids = list.tasks.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (let [next] = readyTasks(list); next !== undefined; [next] = readyTasks(list)) {
          const after = list.source.withDone(next);
          if (after === null) throw new Error(`${next.text} cannot be done`);
          const now = listOf(path, after);
          expect(now.tasks.map(({ id, done }) => [id, done])).toEqual(
            list.tasks.map(({ id, done }) => [id, done || id === next?.id]),
          );
          [text, list] = [after, now];
        }
        expect(list.tasks.filter(({ done }) => !done)).toEqual([]);
        expect(list.tasks.map(({ id }) => id)).toEqual(ids);
      }),
      { seed, numRuns: 150 },
    );
  },
);

test.each(Object.keys(FORMS))(
  "the plan of any task of %s has that one open box, and whatever it describes is none",
  (form) => {
    const { path, write } = FORMS[form] ?? { path: "", write: () => "" };
    fc.assert(
      fc.property(made, (tasks) => {
        const list = listOf(path, write(tasks));
        for (const task of list.tasks) {
          const { tasks: open, counts } = parsePlan(list.source.planOf(task), []);
          expect([counts.total, open.length]).toEqual([1, 1]);
          expect(open[0]?.text).toBe(task.text);
        }
      }),
      { seed, numRuns: 60 },
    );
  },
);

test("a plan of ralph's own is such a list", () => {
  const text = "# Plan\n\n## A\n- [ ] one (after: two)\n- [ ] two\n\n## Later\n- [ ] three\n";
  const { form, graph, planOf, withDone } = planSource(text, ["Later"], hash);
  const [one, two, three] = graph.tasks;
  if (one === undefined || two === undefined || three === undefined) throw new Error("tasks are missing");
  expect([form, graph.faults, one.after, three.optional]).toEqual(["plan", [], [two.id], true]);
  expect(planOf(two)).toBe("# Plan\n\n## A\n- [ ] two\n");
  expect(withDone(two)).toBe(text.replace("[ ] two", "[x] two"));
  expect(withDone({ id: "none", text: "none" })).toBeNull();
});

test("a task whose section was renamed meanwhile is found by its words; one that is gone or done is not", () => {
  const text = "## 1. Work\n- [ ] 1.1 Add it\n- [ ] 1.2 Then\n";
  const [task] = listOf("tasks.md", text).tasks;
  if (task === undefined) throw new Error("no task");
  const renamed = text.replace("Work", "Core");
  const doneIn = (now: string) => listSource({ path: "tasks.md", text: now }, OPTIONS, hash)?.withDone(task) ?? null;
  expect(doneIn(renamed)).toBe(renamed.replace("[ ] 1.1", "[x] 1.1"));
  for (const gone of [text.replace("Add it", "Other"), text.replace("[ ] 1.1", "[x] 1.1"), "# Empty\n"])
    expect(doneIn(gone)).toBeNull();
});

test.each(["tasks.md", "prd.json", "issues.jsonl"])("no text makes the reading of %s fail", (path) => {
  const piece = fc.constantFrom(
    "- [ ] T001 a",
    "## 1. b",
    "- [ ] 1.1 c (after: 1)",
    '{"id":"a","title":"b"}',
    '{"passes":true}',
    "[",
    "]",
    ",",
    '"',
    "\n",
    "\r",
    "\t",
    "\uFEFF",
    "\u0000",
    "\ud800",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      const list = listSource({ path, text }, OPTIONS, hash);
      for (const task of list?.graph.tasks ?? []) {
        expect(task.id).toMatch(/^[0-9a-f]{12}$/);
        expect(task.text).not.toMatch(/[\r\n]/);
      }
    }),
    { seed, numRuns: 500 },
  );
});

test.each([
  ["boxes", "tasks.md", (size: number) => "- [ ] T001 a\n".repeat(size)],
  ["boxes below one another", "tasks.md", (size: number) => `- [ ] T001 a\n${"  - [ ] T002 b\n".repeat(size)}`],
  ["labels", "tasks.md", (size: number) => `- [ ] T001 ${"[x] ".repeat(size)}\n`],
  ["dependencies", "tasks.md", (size: number) => `- [ ] T001 depends on ${"T001, ".repeat(size)}\n`],
  [
    "stories",
    "prd.json",
    (size: number) => json(Array.from({ length: size }, (_, id) => ({ id, title: "a", passes: false }))),
  ],
  [
    "issues",
    "issues.jsonl",
    (size: number) => Array.from({ length: size }, (_, id) => JSON.stringify({ id, title: "a" })).join("\n"),
  ],
] as const)("a list of many %s takes time in proportion to it", async (_, path, input) => {
  const read = (text: string) => listSource({ path, text }, OPTIONS, (words) => words.slice(0, 40));
  expect(await growth(input, read, 8000)).toBeLessThan(IN_PROPORTION);
});

test("of two tasks with the same words the one that was asked for is done", () => {
  const text = "## 1. Work\n- [ ] 1.1 Same\n- [ ] 1.1 Same\n## 2. More\n- [ ] 1.1 Same\n";
  const { source, tasks } = listOf("tasks.md", text);
  const lines = text.split("\n");
  for (const [at, line] of [1, 2, 4].entries()) {
    const one = tasks[at];
    if (one === undefined) throw new Error("no task");
    expect(source.withDone(one)).toBe(lines.with(line, "- [x] 1.1 Same").join("\n"));
  }
});

test("endings count in any case, and whole", () => {
  const beads = '{"id": "b-1", "title": "One"}';
  const forms = ["A.JSONL", "a.jsonl.bak", "TASKS.MD", "tasks.md.txt", "PRD.JSON", "prd.json5"].map((path) => {
    const text = /jsonl/i.test(path) ? beads : /md/i.test(path) ? "- [ ] T001 a\n" : '[{"name": "a", "passes": false}]';
    return listSource({ path, text }, OPTIONS, hash)?.form ?? null;
  });
  expect(forms).toEqual(["beads", null, "spec-kit", null, "prd.json", null]);
});
