/**
 * `.beads/issues.jsonl` of beads (steveyegge/beads, internal/types, as of June 2026): an issue a line, the later line of an id wins.
 * What `bd ready` shows may be worked on: `open`, not deferred, and no open issue that blocks it or its parent. An epic with children
 * is no work of its own, and who waits for it waits for its children; `bd epic close-eligible` closes it.
 */
import { fieldsOf, isRecord, jsonIn, num, str } from "../json-value.ts";
import { memberEdit, type TextEdit } from "../text/text-edits.ts";
import { idOf, positionsIn, quoted, type ReadList, type ReadOptions, type ReadTask, titleLine } from "./read-task.ts";

/** What every form of an issue has, a line of the file as well as an entry of `bd list --json`. */
export type Bead = {
  id: string;
  title: string;
  status: string;
  priority: number | null;
  fields: Record<string, unknown>;
};
/** `at`: offset of its line. */
type Line = Bead & { at: number; text: string };

/** Dependencies that hold an issue back until what they name is closed. */
const BLOCKING = new Set(["blocks", "conditional-blocks", "waits-for"]);
/** Kinds of issues that carry word from one agent to another. */
const NO_TASK = new Set(["message", "event"]);
/** Kinds that others may wait for, but nobody works on. */
const NO_WORK = new Set(["gate", "molecule", "milestone", "agent", "role"]);
/** Not real work, or gone. */
const GONE = new Set(["tombstone"]);
const NORMAL = 2;

/** The issue in a document of beads; null for anything else. */
export function beadOf(value: unknown): Bead | null {
  const fields = fieldsOf(value);
  const [id, title] = [idOf(fields.id), (str(fields.title) ?? "").trim()];
  if (id === null || title === "") return null;
  return { id, title, status: str(fields.status) ?? "open", priority: num(fields.priority), fields };
}

export function isBeads(text: string): boolean {
  return linesIn(text).length > 0;
}

export function readBeads(text: string, { now }: Pick<ReadOptions, "now">): ReadList {
  const all = new Map(linesIn(text).map((line) => [line.id, line]));
  const parents = new Map(
    [...all.values()].map((line) => [line.id, namedBy(line, new Set(["parent-child"]))[0] ?? null]),
  );
  const parentOf = (id: string) => all.get(parents.get(id) ?? "") ?? null;
  const withChildren = new Set([...all.values()].flatMap(({ id }) => parentOf(id)?.id ?? []));
  const isBox = (line: Line) => withChildren.has(line.id) && typeOf(line) === "epic";
  const work = [...all.values()]
    .filter((line) => !isBox(line) && !NO_TASK.has(typeOf(line)) && line.fields.ephemeral !== true)
    .toSorted((a, b) => (a.priority ?? NORMAL) - (b.priority ?? NORMAL));
  const lines = work.map((line) => ({ line, above: ancestors(line, parentOf) }));
  const places = new Map<string, number[]>();
  for (const [place, { line, above }] of lines.entries())
    for (const { id } of [line, ...above.filter(isBox)]) places.set(id, [...(places.get(id) ?? []), place]);
  const tasks = lines.map(({ line, above }): ReadTask => {
    const named = [line, ...above].flatMap((one) => namedBy(one, BLOCKING));
    const held = heldBy(line, above, now);
    const done = line.status === "closed";
    return {
      name: line.id,
      text: `[${line.id}] ${titleLine(line.title)}`,
      section: above[0] === undefined ? null : titleLine(above[0].title),
      done,
      optional: false,
      // What is not in the file blocks nothing, as in `bd ready`.
      after: [...new Set(named.flatMap((id) => places.get(id) ?? []))],
      ...(held === null ? {} : { held }),
      details: detailsOf(line),
      edits: done ? [] : closeEdits(line, now),
    };
  });
  return { tasks, faults: [] };
}

/** The issues of a file; headers, memories and what was deleted are none. */
function linesIn(text: string): Line[] {
  return [...text.matchAll(/[^\r\n]+/g)].flatMap((found): Line[] => {
    const value = jsonIn(found[0]);
    const bead = beadOf(value);
    if (bead === null || GONE.has(bead.status)) return [];
    return (bead.fields._type ?? "issue") === "issue" ? [{ ...bead, at: found.index, text: found[0] }] : [];
  });
}

/** Its parent, whose parent, and so on. */
function ancestors(line: Line, parentOf: (id: string) => Line | null): Line[] {
  const above: Line[] = [];
  for (let next = parentOf(line.id); next !== null && !above.includes(next); next = parentOf(next.id)) above.push(next);
  return above.filter((one) => one !== line);
}

function namedBy({ fields }: Line, kinds: ReadonlySet<string>): string[] {
  const list: unknown[] = Array.isArray(fields.dependencies) ? fields.dependencies : [];
  return list.flatMap((one) => {
    if (!isRecord(one) || !kinds.has(str(one.type) ?? "")) return [];
    return str(one.depends_on_id) ?? [];
  });
}

function typeOf({ fields }: Line): string {
  return str(fields.issue_type) ?? str(fields.type) ?? "task";
}

function heldBy(line: Line, above: readonly Line[], now: number): string | null {
  if (NO_WORK.has(typeOf(line))) return typeOf(line);
  if (line.status !== "open" && line.status !== "closed") return titleLine(line.status);
  const isLater = [line, ...above].some(({ fields }) => Date.parse(str(fields.defer_until) ?? "") > now);
  return isLater || above.some(({ status }) => status === "deferred") ? "deferred" : null;
}

function detailsOf({ fields }: Line): string[] {
  return [
    ...quoted(null, fields.description),
    ...quoted("Design", fields.design),
    ...quoted("Acceptance criteria", fields.acceptance_criteria),
    ...quoted("Notes", fields.notes),
    ...quoted("Spec", fields.spec_id),
  ];
}

/** A closed issue has the time of it; an import takes the line for newer than its database by `updated_at`. */
function closeEdits({ text, at }: Line, now: number): TextEdit[] {
  const positions = positionsIn(text);
  const time = new Date(now).toISOString();
  const members = [
    ["status", "closed"],
    ["updated_at", time],
    ["closed_at", time],
  ] as const;
  const edits = members.flatMap((member) => memberEdit(text, positions, [], member) ?? []);
  return edits.map((edit) => ({ ...edit, at: edit.at + at }));
}
