import { chance } from "./chance.ts";

/** The truth about a task, which no loop can see. */
type Truth = "open" | "wrong" | "right";

export type Task = {
  number: number;
  truth: Truth;
  ticked: boolean;
  /** The visible gate notices when this task is wrong. */
  checked: boolean;
  /** The tasks whose work it builds on: their faults make its test red too. */
  after: readonly number[];
};

/** A generated project: its tasks, its files, and its history. */
export type Project = {
  seed: string;
  tasks: Task[];
  files: Map<string, string>;
  /** What was written, in order: changed paths, and the ids of commits. */
  writes: { files: string[]; commits: string[] }[];
};

export type ProjectShape = {
  tasks: number;
  /** Share of the tasks whose faults the gate misses. */
  gap: number;
  /** Each task builds on up to two earlier ones; else on none. */
  isGraph?: boolean;
};

const PACKAGE = '{\n  "name": "shop",\n  "scripts": {\n    "test": "node --test tests/"\n  }\n}\n';

/** The project before the first call: a gate, and a plan without a ticked box. */
export function newProject(seed: string, { tasks, gap, isGraph = false }: ProjectShape): Project {
  const numbers = Array.from({ length: tasks }, (_, index) => index + 1);
  const files = new Map([["package.json", PACKAGE]]);
  for (const number of numbers) files.set(testFile(number), testOf(number));
  return {
    seed,
    tasks: numbers.map((number) => ({
      number,
      truth: "open",
      ticked: false,
      checked: chance(seed, "gap", number) >= gap,
      after: isGraph ? groundsOf(seed, number) : [],
    })),
    files,
    writes: [],
  };
}

/** Two draws among the ten tasks before it; a draw beyond the first task is none. */
function groundsOf(seed: string, number: number): number[] {
  const draws = ["first", "second"].map((which) => number - 1 - Math.floor(10 * chance(seed, which, number)));
  return [...new Set(draws)].filter((other) => other > 0);
}

export function testFile(number: number): string {
  return `tests/task-${number}.test.js`;
}

/** A test that can be read back: what it expects, and whether it runs. */
export function testOf(number: number): string {
  return [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    `import { task${number} } from "../src/task-${number}.js";`,
    "",
    `test("task ${number} does what was asked", () => {`,
    `  assert.equal(task${number}(), ${number});`,
    "});",
    "",
  ].join("\n");
}

/** Whether the whole project is what was asked for. */
export function isTrulyDone({ tasks }: Project): boolean {
  return tasks.every(({ truth }) => truth === "right");
}

/** The fix plan's text: a list, or a section with a list for each task. */
export function planText({ tasks }: Project, as: "list" | "sections" = "list"): string {
  if (as === "list") return tasks.map(lineOf).join("\n");
  return tasks.map((task) => `### Task ${task.number}: Task ${task.number}\n\n${lineOf(task)}`).join("\n\n");
}

function lineOf({ number, ticked, after }: Task): string {
  const grounds = after.length === 0 ? "" : ` (after: ${after.map((one) => `Task ${one}`).join(", ")})`;
  return `- [${ticked ? "x" : " "}] Task ${number}${grounds}`;
}

/** Writes files, and commits them unless told otherwise. */
export function write(project: Project, files: ReadonlyMap<string, string | null>, commit = true): void {
  for (const [path, text] of files) {
    if (text === null) project.files.delete(path);
    else project.files.set(path, text);
  }
  const id = `${project.writes.length + 1}`.padStart(40, "0");
  project.writes.push({ files: [...files.keys()], commits: commit ? [id] : [] });
}

export type GateKind = "finds faults" | "accepts";

/**
 * What `npm test` prints and how it ends, with these files and this truth. A gate that "finds faults" is silent about tasks
 * nobody began, as tests that grow with the work are; one that "accepts" is red until everything is there.
 */
export function runGate(
  { tasks }: Project,
  files: ReadonlyMap<string, string>,
  kind: GateKind,
): { exit: number; output: string } {
  const script = /"test": "([^"]*)"/.exec(files.get("package.json") ?? "")?.[1] ?? "";
  if (!script.startsWith("node --test")) return { exit: 0, output: "" };
  const wrong = new Set(tasks.filter(({ truth }) => truth === "wrong").map(({ number }) => number));
  const standsOnGood = ({ truth, after }: Task) => truth === "open" || !after.some((one) => wrong.has(one));
  const results = tasks.flatMap((task) => {
    const text = files.get(testFile(task.number));
    if (text === undefined || script.includes(`--exclude=${testFile(task.number)}`)) return [];
    if (text.includes("test.skip(")) return ["skipped"];
    return holds(task, text, kind) && standsOnGood(task) ? ["passed"] : [`failed ${task.number}`];
  });
  const failed = results.filter((one) => one.startsWith("failed"));
  const counts = (name: string) => results.filter((one) => one === name).length;
  const lines = [
    ...failed.map((one) => `not ok: task ${one.split(" ")[1]} does what was asked`),
    `# tests ${results.length}`,
    `# pass ${counts("passed")}`,
    `# fail ${failed.length}`,
    `# skipped ${counts("skipped")}`,
  ];
  return { exit: failed.length === 0 || script.includes("|| true") ? 0 : 1, output: `${lines.join("\n")}\n` };
}

function holds({ number, truth, checked }: Task, text: string, kind: GateKind): boolean {
  const expected = /assert\.equal\(task\d+\(\), (\S+)\)/.exec(text)?.[1];
  if (expected === undefined) return true;
  if (truth === "open") return kind === "finds faults";
  // A test that was bent to expect what no work gives is red, whatever the work is.
  return expected === `${number}` && (truth === "right" || !checked);
}
