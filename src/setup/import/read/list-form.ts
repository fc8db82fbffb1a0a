import { type MarkdownTask, markdownTasks } from "../../../core/tasks/markdown-tasks.ts";
import { isOpenSpec } from "../../../core/tasks/read-openspec.ts";
import { areOfSpecKit } from "../../../core/tasks/read-spec-kit.ts";
import { parseBox, parseListItem } from "../../../core/text/markdown-blocks.ts";
import { visibleLines } from "../../../core/text/markdown-lines.ts";
import { headingsOf } from "../../plan/headings.ts";
import { leadingId } from "../../plan/requirement-id.ts";
import type { Priority } from "../../plan/task.ts";
import type { Draft } from "../draft.ts";
import { isStruck, plainTitle } from "../formats/inline.ts";
import { nameOfTitle } from "./section-kind.ts";

type Listed = Pick<Draft, "id" | "title" | "done" | "details" | "group" | "line">;

const TASK_HEADING = /^task\s+\d+\b/i;

/**
 * The tasks of a document that another tool wrote as a list of them: the boxes of spec-kit and OpenSpec, the sections "Task 1: …" of
 * ralphex with their boxes as steps. What else it says explains how to work, and is no task. Null for any other document.
 */
export function listedDrafts(text: string, usual: Priority): Draft[] | null {
  const boxes = markdownTasks(text, "x");
  const isTask = ({ title }: { title: string }) => TASK_HEADING.test(title);
  const steps = Map.groupBy(boxes, ({ headings }) => headings.find(isTask) ?? null);
  const others = steps.get(null) ?? [];
  steps.delete(null);
  // A task that is described in another way would be lost.
  const isWhole = steps.size === headingsOf(text.split(/\r\n|\n|\r/)).filter(isTask).length;
  const own = isOpenSpec(text) ? boxes : ofSpecKit(boxes);
  const listed =
    own.length > 1
      ? own.filter((box) => !isStruck(box.text)).map(fromBox)
      : others.length * 2 < boxes.length && isWhole
        ? [...steps].flatMap(([heading, own]) => (heading === null ? [] : fromSteps(heading.title, own)))
        : null;
  return (
    listed?.map((one) => {
      const rest = { level: 0, form: "item", isWeak: false, isGroup: false, isSpare: false } as const;
      return { ...rest, ...one, priority: usual };
    }) ?? null
  );
}

/** The boxes of tasks.md: in a folder stand a specification and checklists beside it. */
function ofSpecKit(boxes: readonly MarkdownTask[]): MarkdownTask[] {
  const documents = Map.groupBy(boxes, ({ headings }) => headings.find(({ level }) => level === 1) ?? null);
  return [...documents.values()].filter(areOfSpecKit).flat();
}

function fromBox({ text, done, headings, details, line }: MarkdownTask): Listed {
  const heading = headings.findLast(({ level }) => level > 1);
  const group = heading === undefined ? null : plainTitle(nameOfTitle(heading.title));
  return { id: null, title: plainTitle(text), done, details: wordsOf(details), group, line };
}

function fromSteps(title: string, steps: readonly MarkdownTask[]): Listed {
  const { id, rest } = leadingId(plainTitle(title)) ?? { id: null, rest: title };
  const details = steps.flatMap((step) => [
    `${step.done ? "[x] " : ""}${plainTitle(step.text)}`,
    ...wordsOf(step.details),
  ]);
  const done = steps.every((step) => step.done);
  return { id, title: rest === "" ? title : rest, done, details, group: null, line: steps[0]?.line ?? 1 };
}

/** The items and lines below a box, without their marks and without code. */
function wordsOf(lines: readonly string[]): string[] {
  return visibleLines(lines.join("\n")).flatMap(({ text }) => {
    const box = parseBox(text);
    const words = plainTitle(box?.text ?? parseListItem(text)?.text ?? text.trim());
    return words === "" ? [] : [`${box?.isDone === true ? "[x] " : ""}${words}`];
  });
}
