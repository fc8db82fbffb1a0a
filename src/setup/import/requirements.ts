import { oneLineOf } from "../foreign-text.ts";
import { labelPriority, statedPriority } from "../plan/priority.ts";
import { type Priority, requirementId, type Task } from "../plan/task.ts";
import { type Item, outlineOf, plainTitle, type Section } from "./outline.ts";
import { sectionKind, unnumbered } from "./section-kind.ts";

const MAX_TITLE = 200;
const MAX_DETAIL = 240;
const MAX_DETAILS = 12;

const STORY = /\bas an? [^,.;]{2,80},? i (?:want|need|can|would like|should be able)\b/i;
const GHERKIN = /^(?:\*\*)?(?:scenario(?: outline)?|given|when|then|and|but|examples)\b/i;

export type TaskOptions = {
  /** The file, below `.ralph/`, in which a line of the document stands now; null where tasks need no reference. */
  specOf: ((line: number) => string) | null;
};

/** Where the walk through a document is: the sections above, and the task that criteria belong to. */
type Place = {
  path: { level: number; title: string; context: boolean; priority: Priority | null }[];
  task: Draft | null;
};
type Draft = Task & { details: string[]; level: number; line: number };

/**
 * The tasks of a document, in its order: boxes; requirements and stories with an id, as headings, list items or rows of a
 * table; "As a … I want …"; the items of lists of features, requirements and steps; and each described feature that names
 * no smaller part. What only explains (goals, personas, risks …) is no task. Criteria go below the task they belong to.
 */
export function tasksOf(text: string, { specOf }: TaskOptions): Task[] {
  const sections = outlineOf(text);
  const drafts: Draft[] = [];
  const place: Place = { path: [], task: null };
  for (const index of sections.keys()) enter(sections, index, place, drafts);
  const found = drafts.length > 0 ? drafts : wholeDocument(sections);
  return found.map(({ id, title, priority, done, details, line }) => {
    const where = specOf?.(line) ?? null;
    const short = oneLineOf(title, MAX_TITLE);
    const criteria = details.slice(0, MAX_DETAILS).map((detail) => oneLineOf(detail, MAX_DETAIL));
    return { id, title: short, priority, done, details: where === null ? criteria : [...criteria, `Spec: ${where}`] };
  });
}

function enter(sections: readonly Section[], index: number, place: Place, drafts: Draft[]): void {
  const section = sections[index];
  if (section === undefined) return;
  const { level, title } = section;
  while ((place.path.at(-1)?.level ?? -1) >= level && place.path.length > 0) place.path.pop();
  if (place.task !== null && place.task.level >= level && level > 0) place.task = null;
  const kind = level === 0 ? "list" : sectionKind(title);
  const named = requirementId(unnumbered(title)) ?? requirementId(title);
  const inContext = (place.path.at(-1)?.context ?? false) && named === null;
  // The title of the whole document is a name, whatever words it holds.
  const isTitle = level === 1 && place.path.length === 0;
  const context = inContext || (kind === "context" && !isTitle);
  const priority = (isTitle ? null : headingPriority(title)) ?? place.path.at(-1)?.priority ?? null;
  if (kind === "criteria" && place.task !== null) {
    for (const item of section.items) place.task.details.push(...detailOf(item));
    return;
  }
  if (level > 0) place.path.push({ level, title, context, priority });
  const add = (draft: Omit<Draft, "level" | "line" | "details" | "priority"> & Partial<Draft>) => {
    const one: Draft = {
      details: [],
      level,
      line: section.line,
      ...draft,
      priority: draft.priority ?? priority ?? "medium",
    };
    drafts.push(one);
    return one;
  };
  if (
    named !== null &&
    !context &&
    !(isGroup(named.id) && someBelow(sections, index, (one) => requirementId(unnumbered(one.title)) !== null))
  ) {
    place.task = add({ id: named.id, title: named.rest === "" ? named.id : named.rest, done: false });
    readItems(section, { add, task: place.task, listsTasks: false });
    return;
  }
  if (context) {
    readItems(section, { add, task: null, listsTasks: false, onlyBoxes: true });
    return;
  }
  const isList = kind === "list" || isTitle;
  const hasTasks = section.items.some(
    (item) =>
      item.kind === "box" ||
      idOfItem(item) !== null ||
      isStory(item) ||
      (item.kind === "row" && rowTask(item) !== null),
  );
  const isLeaf = !someBelow(sections, index, (one) => !["criteria", "context"].includes(sectionKind(one.title)));
  if (!isList && !hasTasks && isLeaf && level > 1 && section.items.length > 0) {
    place.task = add({ id: null, title: unnumbered(title), done: false });
    readItems(section, { add, task: place.task, listsTasks: false });
    return;
  }
  readItems(section, { add, task: null, listsTasks: isList });
}

type Reading = {
  add(draft: Omit<Draft, "level" | "line" | "details" | "priority"> & Partial<Draft>): Draft;
  /** The task that the section itself is. */
  task: Draft | null;
  /** Its items are tasks, each for itself. */
  listsTasks: boolean;
  onlyBoxes?: boolean;
};

function readItems(section: Section, { add, task, listsTasks, onlyBoxes = false }: Reading): void {
  let current = task;
  let outer = Number.POSITIVE_INFINITY;
  for (const item of section.items) {
    if (item.kind === "bullet" || item.kind === "box") outer = Math.min(outer, item.indent);
    const nested = (item.kind === "bullet" || item.kind === "box") && item.indent > outer && current !== null;
    const id = idOfItem(item);
    if (item.kind === "row") {
      const row = onlyBoxes ? null : rowTask(item);
      if (row !== null) current = add(row);
      else if (task !== null) task.details.push(item.cells.filter((cell) => cell !== "").join(" | "));
    } else if (item.kind === "box" && !(nested && id === null) && task?.id === undefined)
      current = add({ ...worded(item.text), done: item.done });
    else if (id !== null && !onlyBoxes && !isGherkin(item))
      current = add({ ...worded(item.text), done: item.kind === "box" && item.done });
    else if (isStory(item) && !onlyBoxes && !nested) {
      if (task !== null && current === task)
        task.details.push(item.kind === "text" ? item.text : plainTitle(item.text));
      else current = add({ id: null, title: item.text, done: item.kind === "box" && item.done });
    } else if (isGherkin(item) && current !== null) current.details.push(...detailOf(item));
    else if (item.kind === "bullet" && (listsTasks || (item.ordered && task === null)) && !onlyBoxes && !nested)
      current = add({ ...worded(item.text), done: false });
    else if (current !== null && item.kind !== "text" && !onlyBoxes) current.details.push(...detailOf(item));
  }
}

function worded(text: string): { id: string | null; title: string; priority?: Priority } {
  const plain = plainTitle(text.replace(/^\*\*(.+?)\*\*/, "$1"));
  const named = requirementId(plain);
  const priority = taggedPriority(text);
  const title = named === null || named.rest === "" ? plain : named.rest;
  return { id: named?.id ?? null, title, ...(priority === null ? {} : { priority }) };
}

function idOfItem(item: Item): string | null {
  return item.kind === "text"
    ? /^\*{0,2}[A-Z]/.test(item.text)
      ? colonId(item.text)
      : null
    : item.kind === "row"
      ? null
      : (requirementId(plainTitle(item.text))?.id ?? null);
}

/** A paragraph that begins with an id is a requirement only if the id is set off from the sentence. */
function colonId(text: string): string | null {
  const plain = plainTitle(text.slice(0, MAX_TITLE));
  const found = requirementId(plain);
  return found !== null && /^[^\s]+(?:\s\d[\d.]*)?\s*[:.)–—]/.test(plain) ? found.id : null;
}

const ID_COLUMN =
  /^(?:id|#|nr\.?|no\.?|key|ref(?:erence)?|(?:req(?:uirement)?|story|feature|task|use case)\s*(?:id|#|no\.?|nr\.?))$/i;
const TITLE_COLUMN =
  /^(?:requirements?|description|title|features?|(?:user )?stor(?:y|ies)|name|tasks?|summary|use case|capability|what|statement|work item)$/i;
const PRIORITY_COLUMN = /^(?:prio(?:rity)?|moscow|importance|p)$/i;

function rowTask({
  cells,
  header,
}: Extract<Item, { kind: "row" }>): (ReturnType<typeof worded> & { done: boolean }) | null {
  const at = (pattern: RegExp) => header.findIndex((cell) => pattern.test(cell));
  const [idAt, titleAt, priorityAt] = [at(ID_COLUMN), at(TITLE_COLUMN), at(PRIORITY_COLUMN)];
  const first = cells[0] ?? "";
  const idText = idAt === -1 ? first : (cells[idAt] ?? "");
  const named = requirementId(idText);
  if (named === null && (idAt === -1 || titleAt === -1 || idText === "")) return null;
  const other = cells.findIndex((cell, index) => index !== (idAt === -1 ? 0 : idAt) && cell !== "");
  const title = cells[titleAt === -1 || titleAt === idAt ? other : titleAt] ?? "";
  if (title === "" && named === null) return null;
  const priority = priorityAt === -1 ? null : cellPriority(cells[priorityAt] ?? "");
  return {
    id: named?.id ?? null,
    title: title === "" ? idText : title,
    done: false,
    ...(priority === null ? {} : { priority }),
  };
}

function cellPriority(text: string): Priority | null {
  return (
    labelPriority([text]) ?? (/^should/i.test(text) ? "medium" : /^could/i.test(text) ? "low" : statedPriority(text))
  );
}

/** `(P1)`, `[must]`, `Priority: high`: an urgency that is set off from the sentence; a "must" within it is only grammar. */
function taggedPriority(text: string): Priority | null {
  const tag =
    /[([{]\s*(?:priority\s*:?\s*)?(p[0-4]|must(?: have)?|should(?: have)?|could(?: have)?|won'?t(?: have)?|critical|high|medium|low|optional|nice to have)\s*[)\]}]/i.exec(
      text,
    )?.[1];
  const stated = tag ?? /\bpriority\s*:\s*(\w+)/i.exec(text)?.[1] ?? null;
  if (stated !== null) return cellPriority(stated);
  return /^(?:optional|nice to have)\b/i.test(plainTitle(text)) ? "optional" : null;
}

function headingPriority(title: string): Priority | null {
  const name = unnumbered(title);
  if (/\bshould[- ]haves?\b|\bmedium priority\b/i.test(name)) return "medium";
  if (/\bcould[- ]haves?\b/i.test(name)) return "low";
  if (/\b(?:mvp|phase (?:1|one|i)|high priority)\b/i.test(name)) return "high";
  return taggedPriority(title) ?? (LISTED.test(name) ? statedPriority(name) : null);
}
const LISTED =
  /^(?:critical|urgent|must[- ]haves?|nice[- ]to[- ]haves?|optional|future|stretch|p\d|low[- ]priority)\b/i;

function detailOf(item: Item): string[] {
  if (item.kind === "row") return [item.cells.filter((cell) => cell !== "").join(" | ")];
  return [plainTitle(item.text)];
}

function isStory(item: Item): boolean {
  return item.kind !== "row" && STORY.test(item.text);
}

function isGherkin(item: Item): boolean {
  return item.kind !== "row" && GHERKIN.test(item.text);
}

/** Epics group stories. */
function isGroup(id: string): boolean {
  return /^(?:Epic|E|EPIC-)\b|^E\d|^EPIC/.test(id);
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

/** A document that names no task is one task: to do what it says. */
function wholeDocument(sections: readonly Section[]): Draft[] {
  const named = sections.find(({ level, title }) => level > 0 && title !== "");
  const text = sections.flatMap(({ items }) => items).find((item) => item.kind === "text");
  const title = named?.title ?? (text?.kind === "text" ? text.text : null);
  if (title === null) return [];
  return [
    {
      id: null,
      title: `Build what is described: ${title}`,
      priority: "high",
      done: false,
      details: [],
      level: 0,
      line: named?.line ?? 1,
    },
  ];
}

/** What a document asks for by name: ids, and the headings of what it describes. Used to look whether all of it was taken over. */
export function requirementNames(text: string): string[] {
  const names: string[] = [];
  let contextLevel: number | null = null;
  for (const section of outlineOf(text)) {
    if (contextLevel !== null && section.level <= contextLevel) contextLevel = null;
    const kind = sectionKind(section.title);
    const id = requirementId(unnumbered(section.title))?.id ?? null;
    if (section.level > 1 && id === null && kind === "context" && contextLevel === null) contextLevel = section.level;
    if (id !== null) names.push(id);
    else if (section.level > 1 && kind === "feature" && contextLevel === null) names.push(unnumbered(section.title));
    if (contextLevel !== null) continue;
    for (const item of section.items) {
      const own = item.kind === "row" ? (rowTask(item)?.id ?? null) : idOfItem(item);
      if (own !== null) names.push(own);
    }
  }
  return [...new Set(names)];
}
