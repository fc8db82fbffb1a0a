import { parseBox } from "../../core/text/markdown-blocks.ts";
import { uncommented } from "../sanitize-text.ts";
import { type Box, specLineOf } from "./boxes.ts";
import { boxText, comparableTitle, type Task, titleOfBox } from "./task.ts";

/** What comes in the place of so many lines, the box's own first. */
export type BoxUpdate = {
  count: number;
  lines: string[];
  /** The document says something else than before, and a person's words stay all the same. */
  isKept: boolean;
};

/**
 * A box and what stands below it, as its document has it now: words that a person changed stay, those that the document said
 * before follow it, and so does the place in the specs.
 */
export function updateBox(lines: readonly string[], box: Box, task: Task): BoxUpdate {
  const from = box.line + 1;
  const spec = specLineOf(lines, box.line);
  let end = from;
  while (end !== spec && /^\s+> /.test(lines[end] ?? "")) end += 1;
  const below = lines.slice(from, end);
  const told = updatedDetails(below, task);
  const rest = spec === null ? [] : [...lines.slice(end, spec), withPlace(lines[spec] ?? "", task)];
  return {
    count: 1 + below.length + rest.length,
    lines: [boxLine(lines[box.line] ?? "", box, task), ...(told ?? below), ...rest],
    isKept: told === null || (isRetitled(box, task) && isUserEdited(box, task)),
  };
}

/** Whether a document says something else of a task than it said before, or than its box does where that is not known. */
export function hasDocumentChanged(task: Task, box: Box): boolean {
  return isRetitled(box, task) || detailLines(task.was ?? task).join("\n") !== detailLines(task).join("\n");
}

function isRetitled(box: Box, { title, was }: Task): boolean {
  return comparableTitle(title) !== (was ? comparableTitle(was.title) : box.title);
}

/** Whether the words of a box are a person's, as far as can be told. */
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

/** The lines below a box as the document tells them now; null if a person changed what it told before. */
function updatedDetails(below: readonly string[], task: Task): readonly string[] | null {
  const indent = /^\s+/.exec(below[0] ?? "")?.[0] ?? "  ";
  const [before, now] = [detailLines(task.was ?? task), detailLines(task)].map((all) =>
    all.map((line) => `${indent}> ${line}`),
  ) as [string[], string[]];
  const [old, wanted, there] = [before, now, below].map((all) => all.join("\n"));
  if (old === wanted || there === wanted) return below;
  return there === old ? now : null;
}

/** What stands below a task's box but for its place in the specs. */
function detailLines({ details }: Task): string[] {
  return details.filter((line) => !line.startsWith("Spec: ")).map(uncommented);
}

function withPlace(line: string, { details }: Task): string {
  const wanted = details.find((one) => one.startsWith("Spec: "));
  return wanted === undefined ? line : line.replace(/Spec: .*$/, () => wanted);
}
