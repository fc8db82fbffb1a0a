import type { Priority, Task } from "../plan/task.ts";
import { comparableTitle } from "../plan/task.ts";
import { sanitizeLine } from "../sanitize-text.ts";

/** A task while a document is read. */
export type Draft = {
  id: string | null;
  title: string;
  priority: Priority;
  done: boolean;
  details: string[];
  group: string | null;
  /** Level of its section, or of the section that it is. */
  level: number;
  line: number;
  /** Where it is named: `heading`, `row` or `item`. */
  form: "heading" | "row" | "item";
  /** Only a mention: it counts if nothing else names its id. */
  isWeak: boolean;
  /** It only groups others, like an epic. */
  isGroup: boolean;
  /** It counts only if the document names nothing else. */
  isSpare: boolean;
};

const MAX_TITLE = 200;
const MAX_DETAIL = 300;
const MAX_DETAILS = 12;

/** Adds a line below a task; the steps of a scenario become one line. */
export function addDetail(draft: Draft, text: string): void {
  const last = draft.details.at(-1);
  const goesOn =
    /^(?:when|then|and|but)\b/i.test(text) && last !== undefined && /^(?:given|scenario|when)\b/i.test(last);
  if (goesOn) draft.details[draft.details.length - 1] = `${last.replace(/[.,;]$/, "")}, ${text}`;
  else if (text !== "") draft.details.push(text);
}

/** Drafts as tasks: merges mentions and repetitions, and puts parts below their parents. */
export function mergeDrafts(drafts: readonly Draft[]): Draft[] {
  const named = drafts.some(({ isSpare, isGroup }) => !isSpare && !isGroup);
  const one = withoutRepeats(drafts.filter(({ isSpare }) => !isSpare || !named));
  return withParents(one);
}

/** @param where the place in the specs, null for none */
export function draftToTask({ id, title, priority, done, details, group }: Draft, where: string | null): Task {
  const shown = details.slice(0, details.length > MAX_DETAILS ? MAX_DETAILS - 1 : MAX_DETAILS);
  const lines = shown.map((detail) => sanitizeLine(detail, MAX_DETAIL));
  if (shown.length < details.length)
    lines.push(`… and ${details.length - shown.length} more${where === null ? "" : " in the spec"}`);
  if (where !== null) lines.push(`Spec: ${where}`);
  const task = { id, title: sanitizeLine(title, MAX_TITLE), priority, done, details: lines };
  return group === null ? task : { ...task, group: sanitizeLine(group, MAX_TITLE) };
}

/**
 * The first draft with an id is the task. A mention adds nothing, a second description adds its details. Restarted
 * numbers ("Story 1" of each epic) name different things, which become tasks by their title.
 */
function withoutRepeats(drafts: readonly Draft[]): Draft[] {
  const byId = new Map<string, Draft>();
  for (const draft of drafts)
    if (draft.id !== null && !draft.isWeak && !byId.has(keyOf(draft.id))) byId.set(keyOf(draft.id), draft);
  for (const draft of drafts) if (draft.id !== null && !byId.has(keyOf(draft.id))) byId.set(keyOf(draft.id), draft);
  return drafts.flatMap((draft) => {
    const first = draft.id === null ? draft : (byId.get(keyOf(draft.id)) ?? draft);
    if (first === draft) return [draft];
    if (draft.isWeak) return [];
    const isSame = comparableTitle(first.title) === comparableTitle(draft.title) || first.form !== draft.form;
    if (!isSame && first.level === draft.level) return [{ ...draft, id: null }];
    for (const detail of draft.details) if (!first.details.includes(detail)) first.details.push(detail);
    if (draft.form === "heading") first.line = draft.line;
    first.done ||= draft.done;
    return [];
  });
}

/**
 * FR-1 with the parts FR-1.1, FR-1.2 … becomes the heading above them. With criteria of its own it also stays a task,
 * after its parts.
 */
function withParents(drafts: readonly Draft[]): Draft[] {
  const byId = new Map(drafts.flatMap((draft) => (draft.id === null ? [] : [[keyOf(draft.id), draft] as const])));
  const parentOf = ({ id }: Draft) => {
    const above = id === null ? null : /^(.*[^.-])[.-][^.-]+$/.exec(keyOf(id))?.[1];
    return byId.get(above ?? "") ?? null;
  };
  const ancestors = (draft: Draft) => {
    const above: Draft[] = [];
    for (let at = parentOf(draft); at !== null && !above.includes(at); at = parentOf(at)) above.push(at);
    return above;
  };
  const lastPart = new Map<Draft, number>();
  for (const [index, draft] of drafts.entries()) for (const above of ancestors(draft)) lastPart.set(above, index);
  return drafts.flatMap((draft, index) => {
    const above = ancestors(draft);
    const behind = [draft, ...above].filter((one) => lastPart.get(one) === index && one.details.length > 0);
    const isTask = !draft.isGroup && !lastPart.has(draft);
    const named = above.toReversed().map(draftName).join(" / ");
    return [
      ...(isTask ? [named === "" ? draft : { ...draft, group: named }] : []),
      ...behind.map((one) => ({ ...one, group: [...ancestors(one).toReversed(), one].map(draftName).join(" / ") })),
    ];
  });
}

/** A task as a heading above others. */
export function draftName({ id, title }: Pick<Draft, "id" | "title">): string {
  return id === null || id === title ? title : `${id}: ${title}`;
}

function keyOf(id: string): string {
  return id.toLowerCase();
}
