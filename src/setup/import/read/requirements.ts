import { leadingId, leadingNumber, MODAL, trailingId } from "../../plan/requirement-id.ts";
import type { Priority, Task } from "../../plan/task.ts";
import { type Draft, draftName, draftToTask, mergeDrafts } from "../draft.ts";
import { isStruck, plainTitle } from "../formats/inline.ts";
import { listedDrafts } from "./list-form.ts";
import { readOutline, type Section } from "./outline.ts";
import { isStory, STORY_LABEL } from "./phrases.ts";
import { type ItemContext, identify, readCriteria, readItems, type TaskCandidate } from "./read-items.ts";
import { isMilestone, isPlainList, nameOfTitle, type SectionKind, sectionKind, unnumbered } from "./section-kind.ts";
import { rowTask } from "./table-task.ts";
import { headingUrgency, type Urgency } from "./urgency.ts";

export type TaskOptions = {
  /** The file below `.ralph/` that contains a line of the document now; null if tasks need no reference. */
  specOf: ((line: number) => string) | null;
  /** The priority of a task that states none. */
  usual?: Priority;
};

/**
 * The tasks of a document, in order:
 * - boxes
 * - requirements and stories with an id, in headings, list items, paragraphs or table rows
 * - "As a … I want …"
 * - the items of lists of features, requirements and steps
 * - each described feature that names no smaller part
 *
 * The list of another tool has its own form, and nothing else in it is a task. Explanations (goals, personas …) and exclusions are no tasks. Criteria go below the task they belong to.
 */
export function readTasks(text: string, { specOf, usual = "medium" }: TaskOptions): Task[] {
  const sections = readOutline(text);
  const found = listedDrafts(text, usual) ?? mergeDrafts(readDrafts(sections, usual));
  const drafts = found.length > 0 ? found : wholeDocument(sections);
  return drafts.map((draft) => draftToTask(draft, specOf?.(draft.line) ?? null));
}

/** The position in the document. */
type Place = {
  /** The sections above. */
  path: { level: number; kind: SectionKind; urgency: Urgency | null; group: string | null }[];
  /** The task that a section is: the criteria below belong to it. */
  task: Draft | null;
  /** The last task below the most recent heading. */
  last: Draft | null;
  usual: Priority;
};

/** Everything that a document names as a task, including repetitions and mentions. */
export function readDrafts(sections: readonly Section[], usual: Priority = "medium"): Draft[] {
  const drafts: Draft[] = [];
  const place: Place = { path: [], task: null, last: null, usual };
  for (const index of sections.keys()) enter(sections, index, place, drafts);
  return drafts;
}

function enter(sections: readonly Section[], index: number, place: Place, drafts: Draft[]): void {
  const section = sections[index];
  if (section === undefined) return;
  const { level, title, raw, line } = section;
  leave(place, section);
  const above = place.path.at(-1) ?? null;
  const isTitle = isDocumentTitle(sections, index);
  const kind = above?.kind === "never" || isStruck(raw) ? "never" : headingKind(section, isTitle);
  const named = isMilestone(title) ? null : idOfHeading(section);
  const urgency = (isTitle ? null : headingUrgency(title)) ?? above?.urgency ?? null;
  const owner = place.task ?? place.last;
  if (kind === "criteria" && owner !== null && named === null) {
    readCriteria(section, owner);
    return;
  }
  const isExplained = (kind === "context" || above?.kind === "context") && named === null;
  const own: Place["path"][number] = {
    level,
    kind: isExplained ? "context" : kind,
    urgency,
    group: above?.group ?? null,
  };
  if (level > 0) place.path.push(own);
  if (kind === "never" || urgency === "never") return;

  const add = ({ urgency: stated = null, ...draft }: TaskCandidate): Draft | null => {
    const priority = stated ?? urgency ?? place.usual;
    if (priority === "never") return null;
    const one: Draft = { ...BLANK, details: [], group: own.group, level, line, ...draft, priority };
    drafts.push(one);
    place.last = one;
    return one;
  };
  const read = (reading: Partial<ItemContext>) =>
    readItems(section, { add, kind: "feature", task: null, whole: null, ...reading });
  const begin = (draft: TaskCandidate): Draft | null => {
    place.task = add({ form: "heading", ...draft });
    return place.task;
  };

  if (named !== null) {
    const isGroup = isEpic(named.id) && hasParts(sections, index);
    const draft = begin({ id: named.id, title: titleOr(named, section), isGroup });
    if (draft === null) return;
    if (isGroup) own.group = draftName(draft);
    const before = draft.priority;
    read({ task: draft });
    // The urgency of a whole applies to its parts.
    if (draft.priority !== before) own.urgency = draft.priority;
    return;
  }
  const whole: TaskCandidate = { id: null, title: nameOfTitle(title), form: "heading" };
  if (isExplained) read({ kind: "context", add: (draft) => add({ ...draft, isSpare: isAim(title) }) });
  else if (kind === "criteria") {
    const name = title.replace(/^scenario(?: outline)?\s*:\s*/i, "");
    // Applies to everything that is built ("Definition of Done"): a task only if the document names no other.
    const isSpare = name === title;
    read({ task: holdsTasks(section) ? null : begin({ id: null, title: name, isSpare }) });
  } else if (kind !== "feature" || level === 0 || isTitle) {
    const before = drafts.length;
    // Boxes with the same words below another heading are other tasks.
    const isNamed = level > 0 && !isTitle && !isPlainList(title) && urgency === null;
    if (isNamed && section.items.some((item) => item.kind === "box")) own.group = nameOfTitle(title);
    read({ kind: isTitle && !isPlainList(title) ? "title" : kind });
    // A list section in prose is one task.
    const isProse = kind === "list" && !isMilestone(title) && section.isHeading && !isTitle && section.items.length > 0;
    if (isProse && drafts.length === before && !someBelow(sections, index, () => true)) begin(whole);
  } else if (isOneTask(sections, index, above?.kind ?? null))
    read({ task: begin({ ...whole, ...idInTitle(section) }) });
  else {
    if (section.items.some((item) => item.kind === "box")) own.group = nameOfTitle(title);
    read({ whole });
  }
}

const BLANK = { done: false, form: "item", isWeak: false, isGroup: false, isSpare: false } as const;

/** Moves up to the parent of the section that begins. */
function leave(place: Place, { level, isHeading }: Section): void {
  while (level > 0 && (place.path.at(-1)?.level ?? -1) >= level) place.path.pop();
  if (level > 0 && (place.task?.level ?? -1) >= level) place.task = null;
  if (isHeading) place.last = null;
}

/** Whether a heading is the document's title. With several headings of the first level, they are its chapters. */
function isDocumentTitle(sections: readonly Section[], index: number): boolean {
  const section = sections[index];
  if (section?.level !== 1 || sections.findIndex(({ isHeading }) => isHeading) !== index) return false;
  const isChapter = ["context", "never"].includes(sectionKind(section.title));
  return !isChapter || !sections.some(({ level }, at) => at > index && level === 1);
}

/** A chapter of what is done; deeper down it may be a thing's name ("Filters": all, active, completed). */
const OVER = /^(?:already )?(?:done|completed|finished|shipped)\s*:?$/i;

/** A title is a name, whatever words it contains, unless the document is a list of tasks and nothing else. */
function headingKind({ level, title }: Section, isTitle: boolean): SectionKind {
  if (level === 0) return "list";
  if (level <= 2 && OVER.test(unnumbered(title))) return "context";
  const kind = sectionKind(title);
  return isTitle && kind !== "list" ? "feature" : kind;
}

function idOfHeading({ raw, title }: Section): { id: string; rest: string } | null {
  return leadingId(raw) ?? leadingId(unnumbered(title));
}

/** The id behind the words of a heading, or the number of a heading that is a statement ("2.1 The user must …"). */
function idInTitle({ raw, title }: Section): Partial<TaskCandidate> {
  const behind = trailingId(title);
  if (behind !== null) return { id: behind.id, title: nameOfTitle(behind.rest), isWeak: true };
  const number = MODAL.test(title) ? leadingNumber(raw) : null;
  return number === null ? {} : { id: number.id };
}

/** Whether a described feature is one task: it names no smaller ones, and it has a text or stands in a list. */
function isOneTask(sections: readonly Section[], index: number, above: SectionKind | null): boolean {
  const section = sections[index];
  if (section === undefined || holdsTasks(section)) return false;
  if (trailingId(section.title) !== null || section.items.some(({ kind }) => kind === "bullet")) return true;
  const isLeaf = !someBelow(sections, index, ({ title }) => ["feature", "list"].includes(sectionKind(title)));
  const hasBody = section.items.length > 0 || someBelow(sections, index, ({ items }) => items.length > 0);
  return isLeaf && (hasBody || above === "list" || MODAL.test(section.title));
}

/** Whether a section contains tasks: boxes, ids, rows, stories. A single story describes the section itself. */
function holdsTasks({ items, title }: Section): boolean {
  const isList = sectionKind(title) === "list";
  const stories = items.filter((item) => item.kind !== "row" && isStory(item.text));
  const isTask = (item: Section["items"][number]) =>
    item.kind === "row"
      ? rowTask(item, isList) !== null
      : item.kind === "box" || identify(item, "feature", undefined) !== null;
  return stories.length > 1 || stories.some(({ kind }) => kind !== "text") || items.some(isTask);
}

/** Epics group stories. */
function isEpic(id: string): boolean {
  return /^(?:Epic\b|E-?\d|EPIC)/.test(id);
}

/** Whether a section or its subsections contain work. */
function hasParts(sections: readonly Section[], index: number): boolean {
  const isPart = (one: Section) => idOfHeading(one) !== null || holdsTasks(one) || sectionKind(one.title) === "list";
  const section = sections[index];
  return (section !== undefined && holdsTasks(section)) || someBelow(sections, index, isPart);
}

/** Boxes of goals and figures measure success; they are no work. */
function isAim(title: string): boolean {
  return /goal|objective|metric|kpi|okr|success/i.test(title);
}

/** A heading of an id alone takes its words from the text below: the story, else the first sentence. */
function titleOr({ id, rest }: { id: string; rest: string }, { items }: Section): string {
  if (rest !== "") return plainTitle(rest);
  const texts = items.flatMap((item) => (item.kind === "row" ? [] : [plainTitle(item.text).replace(STORY_LABEL, "")]));
  return texts.find(isStory) ?? texts[0] ?? id;
}

function someBelow(sections: readonly Section[], index: number, wanted: (section: Section) => boolean): boolean {
  const level = sections[index]?.level ?? 0;
  for (let at = index + 1; at < sections.length; at += 1) {
    const section = sections[at];
    if (section === undefined || section.level <= level) return false;
    if (wanted(section)) return true;
  }
  return false;
}

/** A document without any task is one task: implement it. A title alone describes nothing. */
function wholeDocument(sections: readonly Section[]): Draft[] {
  if (sections.filter(({ isHeading }) => isHeading).length < 2 && sections.every(({ items }) => items.length === 0))
    return [];
  const named = sections.find(({ isHeading, title }) => isHeading && title !== "");
  const text = sections.flatMap(({ items }) => items).find((item) => item.kind === "text");
  const words = named?.title ?? (text?.kind === "text" ? text.text : null);
  if (words === null) return [];
  const title = `Build what is described: ${words}`;
  return [{ ...BLANK, id: null, title, priority: "high", details: [], group: null, level: 0, line: named?.line ?? 1 }];
}
