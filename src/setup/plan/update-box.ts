import { parseBox } from "../../core/text/markdown-blocks.ts";
import { uncommented } from "../sanitize-text.ts";
import { type Box, specLineOf } from "./boxes.ts";
import { boxText, comparableTitle, type Task, titleOfBox } from "./task.ts";

/** New lines for a box and the lines below it; `count` old ones are replaced. */
export type BoxUpdate = {
  count: number;
  lines: string[];
  /** The document changed, but the user's own words stay. */
  isKept: boolean;
};

/**
 * Updates a box and the lines below it to the document's current text. The user's edits stay; the document's own words
 * and the place in the specs follow it.
 */
export function updateBox(lines: readonly string[], box: Box, task: Task): BoxUpdate {
  const from = box.line + 1;
  const spec = specLineOf(lines, box.line);
  let end = from;
  while (end !== spec && /^\s+> /.test(lines[end] ?? "")) end += 1;
  const below = lines.slice(from, end);
  const details = updatedDetails(below, task);
  const rest = spec === null ? [] : [...lines.slice(end, spec), withPlace(lines[spec] ?? "", task)];
  return {
    count: 1 + below.length + rest.length,
    lines: [boxLine(lines[box.line] ?? "", box, task), ...(details ?? below), ...rest],
    isKept: details === null || (isRetitled(box, task) && isUserEdited(box, task)),
  };
}

/** Whether a document describes a task differently than before, or than its box does if the earlier text is unknown. */
export function hasDocumentChanged(task: Task, box: Box): boolean {
  return isRetitled(box, task) || detailLines(task.was ?? task).join("\n") !== detailLines(task).join("\n");
}

function isRetitled(box: Box, { title, was }: Task): boolean {
  return comparableTitle(title) !== (was ? comparableTitle(was.title) : box.title);
}

/** Whether the user edited the words of a box, as far as ralph can know. */
function isUserEdited({ title }: Box, { was }: Task): boolean {
  return was !== undefined && (was === null || title !== comparableTitle(was.title));
}

function boxLine(line: string, box: Box, task: Task): string {
  const { before = "", mark = " ", after = "] ", text: words = "" } = parseBox(line) ?? {};
  const isSame = box.title === comparableTitle(task.title);
  const keepsTitle = !isSame && isUserEdited(box, task);
  const keepsId = task.id === null || box.id === task.id;
  const title = keepsTitle ? titleOfBox(words) : task.title;
  const text = (isSame || keepsTitle) && keepsId ? words : boxText({ id: task.id, title });
  return `${before}${task.done && !box.done ? "x" : mark}${after}${text}`;
}

/** The lines below a box in the document's current version; null if the user edited the earlier ones. */
function updatedDetails(below: readonly string[], task: Task): readonly string[] | null {
  const indent = /^\s+/.exec(below[0] ?? "")?.[0] ?? "  ";
  const [before, now] = [detailLines(task.was ?? task), detailLines(task)].map((all) =>
    all.map((line) => `${indent}> ${line}`),
  ) as [string[], string[]];
  const [old, wanted, current] = [before, now, below].map((all) => all.join("\n"));
  if (old === wanted || current === wanted) return below;
  return current === old ? now : null;
}

/** The lines below a task's box, except for its place in the specs. */
function detailLines({ details }: Task): string[] {
  return details.filter((line) => !line.startsWith("Spec: ")).map(uncommented);
}

function withPlace(line: string, { details }: Task): string {
  const wanted = details.find((one) => one.startsWith("Spec: "));
  return wanted === undefined ? line : line.replace(/Spec: .*$/, () => wanted);
}
