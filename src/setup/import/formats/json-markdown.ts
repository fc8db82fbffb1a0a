import { asObject, asText } from "../../detect/files.ts";
import { sanitizeLine } from "../../sanitize-text.ts";
import { type JsonItem, readJsonItem } from "./json-item.ts";
import { bodyOf, lineOf, wordsOfKey } from "./json-text.ts";

const MAX_DEPTH = 12;
const LONG = 100;

/**
 * Converts a JSON document to Markdown: keys become headings, and each listed item, at any depth, a section with its
 * id, urgency and state, as in the `prd.json` of story loops and the lists of Task Master.
 */
export function jsonMarkdown(value: unknown, name: string): string {
  const object = asObject(value);
  const key = ["title", "name", "project", "projectName"].find((one) => typeof object?.[one] === "string");
  const title = key === undefined ? name : String(object?.[key]);
  const body =
    object === null
      ? ["## Tasks", "", ...listed(value, 3, null)]
      : fields(Object.fromEntries(Object.entries(object).filter(([one]) => one !== key)), 2);
  return `# ${sanitizeLine(title, 200)}\n\n${body.join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

/** The keys of an object that is a part of the document. */
function fields(object: Record<string, unknown>, level: number): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (isEmpty(value)) return [];
    const label = wordsOfKey(key);
    if (typeof value === "string" && (value.length > LONG || value.includes("\n")))
      return ["", heading(level, label), "", bodyOf(value), ""];
    if (typeof value !== "object") return [`${label}: ${lineOf(value)}`, ""];
    if (level > MAX_DEPTH) return [`${label}: ${JSON.stringify(value)}`, ""];
    const inner = asObject(value);
    const thing = inner === null ? null : readJsonItem(inner);
    // A map may name its items by their keys.
    if (thing !== null && (hasId(key) || (level > 2 && typeof inner?.title === "string")))
      return itemLines(hasId(key) ? { ...thing, id: thing.id ?? key } : thing, level, null);
    return [
      "",
      heading(level, label),
      "",
      ...(inner === null ? listed(value, level + 1, null) : fields(inner, level + 1)),
      "",
    ];
  });
}

/** @param parent id of the item that contains the list */
function listed(value: unknown, level: number, parent: string | null): string[] {
  if (!Array.isArray(value)) return [lineOf(value)];
  const things = value.map((one) => (asObject(one) === null ? null : readJsonItem(one)));
  return inOrder(things, value).flatMap(([thing, one]): string[] => {
    if (thing !== null) return level > MAX_DEPTH ? [`- ${thing.title}`] : itemLines(thing, level, parent);
    if (Array.isArray(one)) return level > MAX_DEPTH ? [`- ${JSON.stringify(one)}`] : listed(one, level + 1, parent);
    const object = asObject(one);
    const isDeep =
      object !== null && Object.values(object).some((field) => typeof field === "object" && field !== null);
    return isDeep && level <= MAX_DEPTH ? fields(object, level) : [`- ${lineOf(one)}`];
  });
}

/** Sorts the items by urgency if each has a numeric one. */
function inOrder(things: readonly (JsonItem | null)[], values: readonly unknown[]): [JsonItem | null, unknown][] {
  const pairs = things.map((thing, index): [JsonItem | null, unknown] => [thing, values[index]]);
  const rank = (thing: JsonItem | null) => thing?.order ?? 0;
  return things.every((thing) => rank(thing) > 0) ? pairs.toSorted(([a], [b]) => rank(a) - rank(b)) : pairs;
}

function itemLines(thing: JsonItem, level: number, parent: string | null): string[] {
  const id = thing.id === null ? null : idText(thing.id, parent);
  const words = sanitizeLine(`${id === null ? "" : `${id} `}${thing.title}`, 260);
  const attributes = [
    thing.priority === null ? [] : `Priority: ${thing.priority}`,
    thing.done ? "Status: done" : [],
  ].flat();
  return [
    "",
    heading(level, thing.isWithdrawn ? `~~${words.replaceAll("~", "")}~~` : words),
    "",
    ...attributes.flatMap((line) => [line, ""]),
    ...Object.entries(thing.rest).flatMap(([key, value]) => property(key, value, level, thing.id)),
  ];
}

/** A plain property stays with its item; the entries of a list become items of their own. */
function property(key: string, value: unknown, level: number, id: string | null): string[] {
  if (isEmpty(value)) return [];
  const label = wordsOfKey(key);
  const text = asText(value);
  if (text !== null) {
    const body = bodyOf(text);
    if (["description", "body", "details", "text"].includes(key)) return [body, ""];
    return [text.length > LONG || body.includes("\n") ? `**${label}:**\n\n${body}` : `${label}: ${body}`, ""];
  }
  const object = asObject(value);
  const list = Array.isArray(value) ? value : object === null ? null : Object.values(object);
  const isNested = list?.some((one) => asObject(one) !== null && isTask(one)) ?? false;
  if (list !== null && isNested && level < MAX_DEPTH) return listed(list, level + 1, id);
  if (!Array.isArray(value)) return [`${label}: ${lineOf(value)}`, ""];
  // References to other items go on one line.
  if (/^(?:labels?|tags?|dependenc|depends|blocked|components?)/i.test(key)) return [`${label}: ${lineOf(value)}`, ""];
  return ["", `**${label}**`, "", ...value.map((one) => `- ${lineOf(one)}`), ""];
}

/** Whether a listed object is a task: it has an id or a state beside its text. A criterion has neither. */
function isTask(value: unknown): boolean {
  const thing = readJsonItem(value);
  const object = asObject(value) ?? {};
  return (
    thing !== null &&
    !("given" in object && "then" in object) &&
    (thing.id !== null || thing.done || "status" in object || !isEmpty(Object.values(thing.rest))) &&
    !/^AC[-_ ]?\d/i.test(thing.id ?? "")
  );
}

/** A bare number is ambiguous as an id; the number of a part begins with its parent's. */
function idText(id: string, parent: string | null): string {
  if (!/^\d+(?:\.\d+)*$/.test(id)) return `${id}:`;
  return parent !== null && /^\d+(?:\.\d+)*$/.test(parent) && !id.includes(".")
    ? `Task ${parent}.${id}:`
    : `Task ${id}:`;
}

function hasId(key: string): boolean {
  return /\d$/.test(key) && key.length <= 40;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function heading(level: number, words: string): string {
  return `${"#".repeat(Math.min(6, level))} ${words}`;
}
