/** Lists of tasks that other tools keep, read as they are, and marked as those tools mark them. */
import { withTicked } from "../land/tick.ts";
import { parsePlan } from "../plan/fix-plan.ts";
import { withEdits } from "../text/text-edits.ts";
import { oneTaskPlan } from "./one-task-plan.ts";
import { isBeads, readBeads } from "./read-beads.ts";
import { isOpenSpec, readOpenSpec } from "./read-openspec.ts";
import { isPrd, readPrd } from "./read-prd.ts";
import { isSpecKit, readSpecKit } from "./read-spec-kit.ts";
import type { ReadOptions, ReadTask } from "./read-task.ts";
import { isTaskMaster, readTaskMaster } from "./read-task-master.ts";
import { type ListedTask, listedInPlan, type TaskGraph, taskGraph, type WorkTask } from "./task-graph.ts";

/** The tool whose list it is. */
export type ListForm = "spec-kit" | "OpenSpec" | "prd.json" | "Task Master" | "beads";

/** A list of tasks, whoever's it is. */
export type TaskSource = {
  form: ListForm | "plan";
  graph: TaskGraph;
  /** The plan of a worker, in which that task of the graph is all there is to do. */
  planOf(task: WorkTask): string;
  /**
   * The list with a task marked as done in its own form, every other byte as it was; one with the same words counts where its section
   * was renamed meanwhile. Null if no open task is it.
   */
  withDone(task: { id: string; text: string }): string | null;
};

type Reader = {
  form: ListForm;
  ending: RegExp;
  isOne(text: string): boolean;
  read(text: string, options: ReadOptions): { tasks: ReadTask[]; faults: string[] };
};

const READERS: readonly Reader[] = [
  { form: "beads", ending: /\.jsonl$/i, isOne: isBeads, read: readBeads },
  { form: "prd.json", ending: /\.json$/i, isOne: isPrd, read: readPrd },
  { form: "Task Master", ending: /\.json$/i, isOne: isTaskMaster, read: readTaskMaster },
  { form: "spec-kit", ending: /\.md$/i, isOne: isSpecKit, read: readSpecKit },
  { form: "OpenSpec", ending: /\.md$/i, isOne: isOpenSpec, read: readOpenSpec },
];

/**
 * Another tool's list of tasks; null for what is none, or for a plan of ralph's own.
 * @param path of the file from the project; its ending counts
 * @param hash SHA-256 of a text in hex digits
 */
export function listSource(
  { path, text }: { path: string; text: string },
  options: ReadOptions,
  hash: (text: string) => string,
): TaskSource | null {
  const reader = READERS.find(({ ending, isOne }) => ending.test(path) && isOne(text));
  if (reader === undefined) return null;
  const found = reader.read(text, options);
  const { tasks, faults } = taskGraph(
    found.tasks.map(({ edits: _, ...task }): ListedTask => task),
    hash,
  );
  return {
    form: reader.form,
    graph: { tasks, faults: [...found.faults, ...faults] },
    planOf: (task) => planOfTask(task, path),
    withDone({ id, text: words }) {
      const open = tasks.flatMap((task, at) => (task.done ? [] : [{ ...task, edits: found.tasks[at]?.edits ?? [] }]));
      const task = open.find((one) => one.id === id) ?? open.find((one) => one.text === words);
      return task === undefined || task.edits.length === 0 ? null : withEdits(text, task.edits);
    },
  };
}

/**
 * A plan of ralph's own as such a list.
 * @param optionalSections titles of sections whose boxes do not block
 * @param hash SHA-256 of a text in hex digits
 */
export function planSource(
  text: string,
  optionalSections: readonly string[],
  hash: (text: string) => string,
): TaskSource {
  const parsed = parsePlan(text, optionalSections);
  const graph = taskGraph(listedInPlan(parsed), hash);
  return {
    form: "plan",
    graph,
    planOf: ({ id }) => oneTaskPlan(text, parsed.boxes[graph.tasks.findIndex((task) => task.id === id)]?.line ?? 0),
    withDone: (task) => withTicked(text, task, hash),
  };
}

function planOfTask({ text, section, details = [] }: WorkTask, from: string): string {
  return [
    ...(section === null ? [] : [`## ${section}`, ""]),
    `- [ ] ${text}`,
    ...details.map((line) => `  ${line}`.trimEnd()),
    `  > From ${from}; what lies beside it says more. Do not change that file: the box here is what counts.`,
    "",
  ].join("\n");
}
