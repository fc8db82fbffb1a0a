import { projectName } from "./project-name.ts";
import { singleLine } from "./text/plain-text.ts";
import { truncate } from "./text/truncate.ts";

/** Longer than any screen shows beside other facts; they cut it to their room. */
const TITLE_CHARS = 120;

/** What a run is called, on one line: the text of its task, else the name of its project. */
export function runTitle(run: { task: string | null; settings: Record<string, unknown>; project: string }): string {
  return taskTitle(run.task) ?? singleLine(projectName(run));
}

/** The text of a task on one line; null for none. */
export function taskTitle(task: string | null): string | null {
  const line = truncate(singleLine(task ?? ""), TITLE_CHARS);
  return line === "" ? null : line;
}
