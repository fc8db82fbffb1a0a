/**
 * `prd.json` as snarktank/ralph and those after it write it (July 2026): stories with `passes`, in the order of `priority`, since
 * "earlier stories must not depend on later ones": a story waits for those of a smaller number. If any story has `dependsOn` or the
 * like, only that counts. A plain list of items with `passes` (`category`, `description`, `steps`) has neither: nothing waits.
 */
import { fieldsOf, isRecord, jsonIn, num, str } from "../json-value.ts";
import { memberEdit } from "../text/text-edits.ts";
import {
  idOf,
  idsIn,
  inStages,
  placesNamed,
  positionsIn,
  quoted,
  type ReadList,
  type ReadTask,
  titleLine,
} from "./read-task.ts";

type Story = {
  fields: Record<string, unknown>;
  path: (string | number)[];
  id: string | null;
  text: string;
  done: boolean;
};

const DEPENDS = ["dependsOn", "depends_on", "dependencies", "blockedBy", "blocked_by"];
const DETAILS = [
  ["Acceptance criteria", ["acceptanceCriteria", "acceptance_criteria", "criteria"]],
  ["Steps", ["steps"]],
  ["Notes", ["notes"]],
] as const;

export function isPrd(text: string): boolean {
  return storiesIn(text).length > 0;
}

export function readPrd(text: string): ReadList {
  const stories = storiesIn(text).toSorted((a, b) => priorityOf(a) - priorityOf(b));
  const positions = positionsIn(text);
  const faults: string[] = [];
  const after = orderOf(stories, faults);
  const tasks = stories.map((story, place): ReadTask => {
    const { fields, path, id, text: words, done } = story;
    const edit = done ? null : memberEdit(text, positions, path, ["passes", true]);
    return {
      name: id,
      text: words,
      section: null,
      done,
      optional: false,
      after: after?.[place] ?? null,
      ...(fields.blocked === true ? { held: "blocked" } : {}),
      details: [
        ...(fields.description === titleOf(fields) ? [] : quoted(null, fields.description)),
        ...DETAILS.flatMap(([label, keys]) => keys.flatMap((key) => quoted(label, fields[key]))),
      ],
      edits: edit === null ? [] : [edit],
    };
  });
  return { tasks, faults };
}

/** The items with `passes` of the document, or of the first of its lists that has any. */
function storiesIn(text: string): Story[] {
  const root = jsonIn(text);
  const lists: [(string | number)[], unknown][] = Array.isArray(root)
    ? [[[], root]]
    : Object.entries(fieldsOf(root)).map(([key, value]) => [[key], value]);
  for (const [path, list] of lists) {
    if (!Array.isArray(list) || !list.some((one) => isRecord(one) && typeof one.passes === "boolean")) continue;
    return list.flatMap((one, at): Story[] => {
      if (!isRecord(one) || titleOf(one) === "") return [];
      const [id, title] = [idOf(one.id), titleLine(titleOf(one))];
      const words = id === null ? title : `${id}: ${title}`;
      return [{ fields: one, path: [...path, at], id, text: words, done: one.passes === true }];
    });
  }
  return [];
}

function titleOf(fields: Record<string, unknown>): string {
  return (str(fields.title) ?? str(fields.name) ?? str(fields.description) ?? "").trim();
}

/** Stories without a number stand last. */
function priorityOf({ fields }: Story): number {
  return num(fields.priority) ?? Number.MAX_SAFE_INTEGER;
}

/** The places that each story waits for; null if the list says nothing of it. */
function orderOf(stories: readonly Story[], faults: string[]): (readonly number[])[] | null {
  const said = stories.map(({ fields }) => DEPENDS.flatMap((key) => idsIn(fields[key] ?? [])));
  if (said.some((ids) => ids.length > 0)) {
    const places = new Map(stories.flatMap(({ id }, place) => (id === null ? [] : [[id, [place]]])));
    return stories.map((story, at) => placesNamed(said[at] ?? [], story, places, faults));
  }
  if (stories.every(({ fields }) => num(fields.priority) === null)) return null;
  const priorities = stories.map(priorityOf);
  const stages = [...Map.groupBy(priorities.keys(), (place) => priorities[place]).values()];
  const { after } = inStages(stages, (place) => stories[place]?.done === false);
  return stories.map((_, place) => after.get(place) ?? []);
}
