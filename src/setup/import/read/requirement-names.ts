import { leadingId, mentionedIds } from "../../plan/requirement-id.ts";
import type { Task } from "../../plan/task.ts";
import { readOutline } from "./outline.ts";
import { identify } from "./read-items.ts";
import { readDrafts } from "./requirements.ts";
import { sectionKind, unnumbered } from "./section-kind.ts";
import { rowTask } from "./table-task.ts";

/**
 * The names that a document asks for: ids, and the headings of its features. They show whether an import took
 * everything over.
 */
export function requirementNames(text: string): string[] {
  const sections = readOutline(text);
  const ids = new Set(readDrafts(sections).flatMap(({ id }) => id ?? []));
  const names: (string | null | undefined)[] = [];
  let hidden: number | null = null;
  for (const { level, title, raw, isHeading, items } of sections) {
    if (hidden !== null && level <= hidden) hidden = null;
    const kind = sectionKind(title);
    const id = (leadingId(raw) ?? leadingId(unnumbered(title)))?.id ?? null;
    if (level > 1 && id === null && (kind === "context" || kind === "never")) hidden ??= level;
    const isNamed = level > 1 && isHeading && kind === "feature" && hidden === null;
    names.push(id === null && isNamed ? unnumbered(title) : null, id !== null && ids.has(id) ? id : null);
    for (const item of items) {
      const own = item.kind === "row" ? rowTask(item, true)?.id : identify(item, "list", undefined)?.id;
      names.push(typeof own === "string" && ids.has(own) ? own : null);
    }
  }
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/**
 * The ids that a document names but no task has, from explanations or from ambiguous text. The specs contain them, and
 * ralph lists them for the user.
 */
export function idsWithoutTask(text: string, tasks: readonly Task[]): string[] {
  const planned = tasks.flatMap(({ id, title, group, details }) => [id ?? "", title, group ?? "", ...details]);
  const known = new Set([...planned.flatMap(mentionedIds), ...tasks.flatMap(({ id }) => id ?? [])]);
  const sections = readOutline(text);
  const written = sections.flatMap(({ raw, items }) => [
    raw,
    ...items.flatMap((item) => (item.kind === "row" ? item.cells : [item.text])),
  ]);
  const heads = new Set(
    sections.flatMap(({ items }) => items.flatMap((item) => (item.kind === "row" ? item.head : []))),
  );
  for (const { cells } of heads) written.push(...cells);
  return [...new Set(written.flatMap(mentionedIds))].filter((id) => !known.has(id));
}
