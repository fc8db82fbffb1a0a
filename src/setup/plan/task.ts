import { uncommented } from "../sanitize-text.ts";
import { requirementId } from "./requirement-id.ts";

/** The urgency of a task; each is a section of the plan. */
export type Priority = "high" | "medium" | "low" | "optional";

/** One box of a plan, from any source. All texts come from other people, one line each. */
export type Task = {
  /**
   * `#12`, `owner/repo#12`, `bd-7`, `FR-3`, `Story 1.2`: identifies the task in every import; null if the source has
   * none.
   */
  id: string | null;
  title: string;
  priority: Priority;
  done: boolean;
  /** The lines below the box: acceptance criteria, the spec with the details. */
  details: readonly string[];
  /** The epic that it belongs to, as a heading in the plan. */
  group?: string;
  /**
   * The task in the document's earlier version; null if unknown. Absent for a source that is always right, such as a
   * tracker.
   */
  was?: Task | null;
};

/** Begins the line below a task that names the task over it. */
export const PART_OF = "Part of: ";

/** The text of a box: a tracker's id in brackets before the title, a requirement's id before a colon. */
export function boxText({ id, title }: Pick<Task, "id" | "title">): string {
  const words = uncommented(title);
  if (id === null) return words;
  return isOfTracker(id) ? `[${id}] ${words}` : `${id}: ${words}`;
}

/** Whether a tracker gave the id (`#12`, `bd-7`), not the author of a document. */
export function isOfTracker(id: string): boolean {
  return /^(?:#|[a-z])/.test(id);
}

/** The issue whose parts a group holds, by its name (`#12: Sign in`), in lower case; null for any other group. */
export function issueOfGroup(group: string): string | null {
  return /^((?:[\w.-]+\/[\w.-]+)?#\d{1,9}): /.exec(group)?.[1]?.toLowerCase() ?? null;
}

/** The id of a box, in the spellings of `boxText` and of the originals. */
export function idOfBox(text: string): string | null {
  return partsOfBox(text).id;
}

/** A title for comparison: without case, markup and closing punctuation. */
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
  return partsOfBox(text).title;
}

/** A tracker's id (`#12`, `bd-7`, `shop-a3f`); any other word in brackets is a label, and belongs to the title. */
const IN_BRACKETS = /^\[((?:[\w.-]+\/[\w.-]+)?#\d{1,9}|(?=[^\]]*[-\d])[a-z][\w.-]{0,59})\]\s+(\S.*)$/;

function partsOfBox(text: string): { id: string | null; title: string } {
  const plain = text.replace(/^\*\*(.+?)\*\*/, "$1").trim();
  const [, id, title] = IN_BRACKETS.exec(plain) ?? [];
  if (id !== undefined && title !== undefined) return { id, title };
  const named = requirementId(plain);
  return named === null ? { id: null, title: plain } : { id: named.id, title: named.rest };
}
