import { leadingId, leadingNumber, MODAL, trailingId } from "../../plan/requirement-id.ts";
import { comparableTitle, PART_OF } from "../../plan/task.ts";
import { addDetail, type Draft } from "../draft.ts";
import { isStruck, plainTitle } from "../formats/inline.ts";
import type { Item, Section } from "./outline.ts";
import { isStory, STORY_LABEL, STRONG } from "./phrases.ts";
import type { SectionKind } from "./section-kind.ts";
import { aboutRow, rowTask, rowText } from "./table-task.ts";
import { aboutTask, isAboutDocument, taggedUrgency, type Urgency } from "./urgency.ts";

/** A task found in a section; the section supplies missing fields. */
export type TaskCandidate = { id: string | null; title: string; urgency?: Urgency | null } & Partial<
  Omit<Draft, "priority">
>;

export type ItemContext = {
  /** Takes a task over; null if it is excluded. */
  add(draft: TaskCandidate): Draft | null;
  kind: SectionKind | "title";
  /** The task that the section itself is. */
  task: Draft | null;
  /** The section as a single task, if its items describe the whole more than any part. */
  whole: TaskCandidate | null;
};

type Words = Exclude<Item, { kind: "row" }>;

const STEP = /^(?:\*\*)?(?:scenario(?: outline)?|given|when|then|and|but|examples)\b/i;
/** "When …, the system shall …" is a requirement by itself. */
const EVENT = /^\W*when\b.*\b(?:shall|must)\b/i;
/** Words after an id that a sentence only mentions. */
const MENTION =
  /^(?:to|and|or|through|is|are|was|were|has|have|applies|apply|depends?|describes?|see|covers?)\b|^[,/]/i;
const LINK_TO_HEADING = /^\[[^\]]*\]\(#[^)]*\)$/;
const CRITERION = /^AC(?=[-_ \d])/i;

/** Reads the tasks among a section's items; any other item becomes a detail of the task above it. */
export function readItems({ items }: Section, { add, kind, task, whole }: ItemContext): void {
  let current = task;
  let outer = Number.POSITIVE_INFINITY;
  let below: BelowTicked | null = null;
  /** The item above named the task by its id: a story that follows is its second line. */
  let isNamed = false;
  for (const [index, item] of items.entries()) {
    if (current !== null && applyTaskStatus(item, current)) continue;
    if (isNothing(item, kind)) continue;
    const indent = item.kind === "box" || item.kind === "bullet" ? item.indent : outer;
    outer = Math.min(outer, indent);
    const isNested = indent > outer && current !== null;
    below = isNested && item.kind === "box" ? belowTicked(item, current, below) : isNested ? below : null;
    const isPart = below !== null && item.kind === "box" && indent <= below.indent;
    const isSecondLine = isNamed && item.kind === "text" && isStory(item.text);
    isNamed = false;
    if (isSecondLine && current !== null) {
      addItemText(current, item);
      continue;
    }
    const own = ownTask(item, { kind, task, current, isNested: isNested && !isPart, next: items[index + 1] });
    if (own !== null) {
      current = add(isPart && below !== null ? { ...own, details: [`${PART_OF}${below.ticked.title}`] } : own);
      isNamed = current !== null && current.id !== null && !isStory(current.title);
      continue;
    }
    if (kind === "context") continue;
    if (current === null && whole !== null && item.kind === "bullet") current = add(whole);
    const about = item.kind === "row" ? task : current;
    const isDetail = item.kind !== "text" || isStory(item.text) || STEP.test(item.text);
    if (about !== null && isDetail) addItemText(about, item);
  }
}

/** Adds all criteria below a task; those of a scenario below the scenario's name. */
export function readCriteria({ title, items }: Section, task: Draft): void {
  const scenario = /^scenario(?: outline)?\s*:/i.test(title) ? `${title}: ` : "";
  const isExample = scenario !== "" || /^examples?$/i.test(title);
  // The rows of a scenario's examples mean nothing without its columns.
  const criteria = items.filter(
    (item) => !applyTaskStatus(item, task) && !isLabel(item) && (!isExample || item.kind !== "row"),
  );
  for (const [index, item] of criteria.entries()) addDetail(task, `${index === 0 ? scenario : ""}${itemText(item)}`);
}

/** A ticked box with open ones below it: these are tasks, since a detail of what is done would be lost. */
type BelowTicked = { ticked: Draft; indent: number };

function belowTicked(
  box: Extract<Item, { kind: "box" }>,
  above: Draft | null,
  before: BelowTicked | null,
): BelowTicked | null {
  if (before !== null && box.indent <= before.indent) return before;
  return above?.done === true && !box.done ? { ticked: above, indent: box.indent } : before;
}

type Here = Pick<ItemContext, "kind" | "task"> & { current: Draft | null; isNested: boolean; next: Item | undefined };

/** The task that an item itself is; null for an item that only describes another one. */
function ownTask(item: Item, { kind, task, current, isNested, next }: Here): TaskCandidate | null {
  if (item.kind === "row") {
    const row = kind === "context" ? null : rowTask(item, kind === "list");
    return row === null ? null : { ...row, form: "row", isWeak: row.id !== null && namesOnly(row.title) };
  }
  const named = identify(item, kind, next);
  const done = item.kind === "box" && item.done;
  const isPart = task !== null && task.id !== null;
  if (item.kind === "box" && !isPart && !(isNested && named === null)) return { ...toCandidate(item, named), done };
  if (
    named !== null &&
    (kind !== "context" || STRONG.test(named.id)) &&
    !(current !== null && CRITERION.test(named.id))
  )
    return { ...toCandidate(item, named), isWeak: named.isWeak || named.title === named.id, done };
  if (kind === "context" || isNested) return null;
  if (isStory(item.text)) return task !== null && current === task ? null : { ...toCandidate(item, null), done };
  if (
    item.kind !== "bullet" ||
    (STEP.test(item.text) && current !== null && !(kind === "list" && EVENT.test(item.text)))
  )
    return null;
  const isListed = kind === "list" || kind === "title" || (item.ordered && task === null);
  return isListed ? { ...toCandidate(item, null), isSpare: kind === "title" } : null;
}

/** Whether a text consists of ids alone: a trace from a requirement to its tests. */
function namesOnly(title: string): boolean {
  return title.split(/[\s,;]+/).every((word) => leadingId(word)?.rest === "" || word === "");
}

/** Whether an item is withdrawn, a link to another place, or about the document itself. */
function isNothing(item: Item, kind: ItemContext["kind"]): boolean {
  if (item.kind === "row") return false;
  if (isStruck(item.text) || LINK_TO_HEADING.test(item.text)) return true;
  return kind === "title" && item.kind !== "box" && isAboutDocument(item.text);
}

/** The id at an item's start, and the words after it. A weak id counts only if nothing else names it. */
export function identify(
  item: Words,
  kind: ItemContext["kind"],
  next: Item | undefined,
): { id: string; title: string; isWeak: boolean } | null {
  const { text } = item;
  const lead = leadingId(text);
  if (lead !== null) {
    const isSentence = item.kind === "text" && !lead.setOff;
    if ((isSentence || kind === "context") && MENTION.test(lead.rest)) return null;
    if (isSentence && !/^\W*\p{Lu}/u.test(text)) return null;
    const title = lead.rest === "" && item.kind === "text" && next?.kind === "text" ? next.text : lead.rest;
    return { id: lead.id, title: title === "" ? lead.id : title, isWeak: isSentence && !lead.asks };
  }
  const number = leadingNumber(text);
  if (number !== null && /^\P{Ll}/u.test(number.rest) && (kind === "list" || MODAL.test(number.rest)))
    return { id: number.id, title: number.rest, isWeak: false };
  const tail = trailingId(text);
  if (tail === null || (item.kind === "text" && !STRONG.test(tail.id))) return null;
  return { id: tail.id, title: tail.rest, isWeak: true };
}

function toCandidate(item: Words, named: { id: string; title: string } | null): TaskCandidate {
  const words = named?.title ?? item.text;
  const title = plainTitle(words)
    .replace(STORY_LABEL, "")
    .replace(/^[[(]?P[0-4][\])]?\s*[:–—-]?\s+(?=\S)/, "");
  return { id: named?.id ?? null, title, urgency: taggedUrgency(words) };
}

/** Applies a line that only states a task's urgency or state. Returns whether it was one. */
function applyTaskStatus(item: Item, task: Draft): boolean {
  const about = item.kind === "row" ? aboutRow(item) : aboutTask(item.text);
  if (about === null) return false;
  if (about.urgency !== null && about.urgency !== "never") task.priority = about.urgency;
  task.done ||= about.done;
  return true;
}

function addItemText(task: Draft, item: Item): void {
  const words = itemText(item);
  const isTitle = comparableTitle(words.replace(STORY_LABEL, "")) === comparableTitle(task.title);
  if (!isTitle) addDetail(task, words);
}

function itemText(item: Item): string {
  if (item.kind === "row") return rowText(item);
  return `${item.kind === "box" && item.done ? "[x] " : ""}${plainTitle(item.text)}`;
}

/** Whether an item only labels the next ones: "**Notes**". */
function isLabel(item: Item): boolean {
  return item.kind === "text" && /^([*_]{1,3})[^*_]{1,60}\1:?$/.test(item.text);
}
