import { createHash } from "node:crypto";
import type { TaskGraph, WorkTask } from "../../../src/core/tasks/task-graph.ts";
import { listSource, type TaskSource } from "../../../src/core/tasks/task-source.ts";

export const hash = (text: string) => createHash("sha256").update(text).digest("hex");
export const OPTIONS = { now: Date.parse("2026-08-01T12:00:00Z"), tag: null };

/** A list that has to be one, by its file's name and text. */
export function listOf(path: string, text: string, tag: string | null = null): TaskGraph & { source: TaskSource } {
  const source = listSource({ path, text }, { ...OPTIONS, tag }, hash);
  if (source === null) throw new Error(`${path} is no list`);
  return { ...source.graph, source };
}

/** The open tasks that nothing holds, and that wait for nothing open. */
export function readyTasks({ tasks }: TaskGraph): WorkTask[] {
  const over = new Set(tasks.filter((task) => task.done).map(({ id }) => id));
  return tasks.filter((task) => !task.done && task.held === undefined && task.after.every((id) => over.has(id)));
}

/** The names of the tasks that are ready. */
export function ready(graph: TaskGraph): (string | null)[] {
  return readyTasks(graph).map(({ name }) => name);
}

/** Each task's name with the names of those that it waits for. */
export function waits({ tasks }: TaskGraph): Record<string, (string | null)[]> {
  const names = new Map(tasks.map(({ id, name }) => [id, name]));
  return Object.fromEntries(tasks.map(({ name, after }) => [name, after.map((id) => names.get(id) ?? null)]));
}

/** The text with the task of that name done. */
export function done(path: string, text: string, name: string): string | null {
  const { source, tasks } = listOf(path, text);
  const task = tasks.find((one) => one.name === name);
  return task === undefined ? null : source.withDone(task);
}

/** The lines that differ, old and new, of texts with equally many lines. */
export function changedLines(before: string, after: string | null): [string, string][] {
  const [old, now] = [before.split("\n"), (after ?? "").split("\n")];
  if (old.length !== now.length) throw new Error("lines came or went");
  return old.flatMap((line, at): [string, string][] => (line === now[at] ? [] : [[line, now[at] ?? ""]]));
}
