/** The tasks of a plan and what each waits for. */

/** A task as a plan, or another tool's list, has it. */
export type ListedTask = {
  /** How the list itself names it, as in `T001` or `bd-a1`; null if it has no name. */
  name: string | null;
  text: string;
  /** Title of the epic or section that it belongs to. */
  section: string | null;
  done: boolean;
  /** A task that does not block "done". */
  optional: boolean;
  /** Names of tasks, or the beginnings of their words, that it waits for; null where the list says nothing. */
  after: readonly string[] | null;
};

export type WorkTask = Omit<ListedTask, "after"> & {
  /** First 12 hex digits of the SHA-256 of `taskKey`: the same in every clone, and after other tasks moved. */
  id: string;
  /** Ids of the tasks that it waits for. */
  after: readonly string[];
};

export type TaskGraph = {
  tasks: WorkTask[];
  /** What is wrong with the dependencies, in sentences: a name that no task has, or a circle. */
  faults: string[];
};

/**
 * What a task's id is made of.
 * @param nth 1 for the first task with the same words in the same section
 */
export function taskKey(section: string | null, text: string, nth: number): string {
  return JSON.stringify([section ?? "", text, ...(nth === 1 ? [] : [nth])]);
}
