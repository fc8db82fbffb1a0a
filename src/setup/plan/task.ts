import { uncommented } from "../sanitize-text.ts";
import { requirementId } from "./requirement-id.ts";

/** How soon a task is wanted; each is a section of the plan. */
export type Priority = "high" | "medium" | "low" | "optional";

/** One box of a plan, from wherever it comes. All texts are of others: one line each. */
export type Task = {
  /** `#12`, `owner/repo#12`, `bd-7`, `FR-3`, `Story 1.2`: names the same task in every import; null where the source has none. */
  id: string | null;
  title: string;
  priority: Priority;
  done: boolean;
  /** What stands below the box, one line each: acceptance criteria, the spec that says more. */
  details: readonly string[];
  /** The epic that it belongs to: a heading of its own in the plan. */
  group?: string;
  /** What its document said before, null if that is not known; not given by sources that are always right, such as a tracker. */
  was?: Task | null;
};

/** A tracker's id stands in brackets before the title, a requirement's before a colon, as people write it. */
export function boxText({ id, title }: Pick<Task, "id" | "title">): string {
  const words = uncommented(title);
  if (id === null) return words;
  return isOfTracker(id) ? `[${id}] ${words}` : `${id}: ${words}`;
}

/** Whether a tracker gave the id (`#12`, `bd-7`), not the author of a document. */
export function isOfTracker(id: string): boolean {
  return /^(?:#|[a-z])/.test(id);
}

/** The issue that a group's name says its tasks are parts of (`#12: Sign in`), in small letters; null for another group. */
export function issueOfGroup(group: string): string | null {
  return /^((?:[\w.-]+\/[\w.-]+)?#\d{1,9}): /.exec(group)?.[1]?.toLowerCase() ?? null;
}

/** The id of a box: the same spellings read back, and those of the originals. */
export function idOfBox(text: string): string | null {
  const plain = text.replace(/^\*\*(.+?)\*\*/, "$1").trim();
  const bracketed = /^\[([^\]\s]{1,60})\]\s+\S/.exec(plain)?.[1];
  if (bracketed !== undefined) return bracketed;
  return requirementId(plain)?.id ?? null;
}

/** A title without what is only writing: case, markup, ending punctuation. */
export function comparableTitle(text: string): string {
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*_`~]/g, "");
  return plain
    .toLowerCase()
    .replaceAll("<! --", "<!--")
    .replace(/\s+/g, " ")
    .replace(/[\s.;:,!]+$/, "")
    .trim();
}

/** The title of a box without its id. */
export function titleOfBox(text: string): string {
  const plain = text.replace(/^\*\*(.+?)\*\*/, "$1").trim();
  const bracketed = /^\[[^\]\s]{1,60}\]\s+(.*)$/.exec(plain)?.[1];
  return bracketed ?? requirementId(plain)?.rest ?? plain;
}
