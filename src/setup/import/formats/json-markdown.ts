import { parseHeading } from "../../../core/text/markdown-blocks.ts";
import { asObject, asText } from "../../detect/files.ts";
import { sanitizeLine } from "../../sanitize-text.ts";

type Fields = Record<string, unknown>;

const MAX_DEPTH = 12;
const LONG = 100;
const MAX_TITLE = 200;
const TITLES = ["title", "name", "summary", "story", "userStory", "user_story", "requirement", "feature", "task"];
const TEXTS = ["description", "text", "statement", "content", "details", "body"];
const IDS = ["identifier", "id", "key"];
const DONE = ["passes", "done", "completed", "checked"];
const IS_DONE = /^(?:done|closed|completed?|resolved|merged|shipped|finished|passed)$/i;
const IS_WITHDRAWN = /^(?:cancell?ed|won'?t(?: do| fix)?|duplicate|rejected|deferred)$/i;

/**
 * Converts a JSON document to Markdown: keys become headings, and each listed item, at any depth, a section with its
 * id, urgency and state, as in the `prd.json` of story loops and the lists of Task Master.
 */
export function jsonMarkdown(value: unknown, name: string): string {
  const object = asObject(value);
  const key = object === null ? undefined : ["title", "name", "project"].find((one) => asText(object[one]) !== null);
  const title = key === undefined ? name : String(object?.[key]);
  const body = object === null ? underTasks(isEmpty(value) ? [] : listed(value, 3, null)) : fields(object, 2, key);
  return `# ${sanitizeLine(title, MAX_TITLE)}\n\n${body.join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

/** A heading with nothing below it would be a document that describes something. */
function underTasks(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["## Tasks", "", ...lines];
}

/** The key that names a listed object; undefined if it is no item of work. */
export function titleKeyOf(object: Fields): string | undefined {
  return [...TITLES, ...TEXTS].find((key) => asText(object[key]) !== null);
}

/** The keys of an object that is a part of the document, but one. */
function fields(object: Fields, level: number, except?: string): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const inner = asObject(value);
    if (key === except || isEmpty(value)) return [];
    if (typeof value !== "object" || level > MAX_DEPTH) return property(key, value, level);
    // A map may name its items by their keys.
    const isId = /\d$/.test(key) && key.length <= 40;
    if (inner !== null && (isId ? titleKeyOf(inner) !== undefined : level > 2 && typeof inner.title === "string"))
      return item(isId ? { id: key, ...inner } : inner, level, null);
    const body = inner === null ? listed(value, level + 1, null) : fields(inner, level + 1);
    return ["", heading(level, wordsOfKey(key)), "", ...body, ""];
  });
}

/** @param parent id of the item that contains the list */
function listed(value: unknown, level: number, parent: string | null): string[] {
  if (!Array.isArray(value) || level > MAX_DEPTH) return [`- ${lineOf(value)}`];
  const order = (one: unknown) => Number(asObject(one)?.priority ?? Number.NaN);
  // Numbers say in which order the items are to be done.
  const all = value.every((one) => order(one) > 0) ? value.toSorted((a, b) => order(a) - order(b)) : value;
  return all.flatMap((one): string[] => {
    const object = asObject(one);
    if (Array.isArray(one)) return listed(one, level + 1, parent);
    if (object === null) return [`- ${lineOf(one)}`];
    if (titleKeyOf(object) !== undefined) return item(object, level, parent);
    const isDeep = Object.values(object).some((field) => typeof field === "object" && field !== null);
    return isDeep ? fields(object, level) : [`- ${lineOf(one)}`];
  });
}

/** A story, an issue, a requirement: a section of its own. */
function item(object: Fields, level: number, parent: string | null): string[] {
  const titleKey = titleKeyOf(object) ?? "";
  const title = sanitizeLine(String(object[titleKey]), MAX_TITLE);
  const id = idOf(object);
  const name = `${id === null ? "" : `${idText(id, parent)} `}${title}`;
  const status = words(object.status ?? object.state);
  const priority = words(object.priority);
  const isDone = DONE.some((key) => object[key] === true) || IS_DONE.test(status);
  const known = [...IDS, ...DONE, "status", "state", "priority", ...(title === object[titleKey] ? [titleKey] : [])];
  return [
    ...["", heading(level, IS_WITHDRAWN.test(status) ? `~~${name.replaceAll("~", "")}~~` : name), ""],
    ...(priority === "" || /^\d+$/.test(priority) ? [] : [`Priority: ${priority}`, ""]),
    ...(isDone ? ["Status: done", ""] : []),
    ...Object.entries(object).flatMap(([key, value]) => {
      if (known.includes(key) || isEmpty(value)) return [];
      const list = Array.isArray(value) ? value : Object.values(asObject(value) ?? {});
      return list.some(isPart) && level < MAX_DEPTH ? listed(list, level + 1, id) : property(key, value, level);
    }),
  ];
}

/** Whether an entry of an item is work of its own: it has an id, and is no criterion. */
function isPart(value: unknown): boolean {
  const object = asObject(value) ?? {};
  const id = idOf(object);
  return id !== null && titleKeyOf(object) !== undefined && !/^AC[-_ ]?\d/i.test(id);
}

/** What describes the part or item above. */
function property(key: string, value: unknown, level: number): string[] {
  const label = wordsOfKey(key);
  if (Array.isArray(value) && !/^(?:label|tag|depend|blocked|component)/i.test(key))
    return ["", `**${label}**`, "", ...value.map((one) => `- ${lineOf(one)}`), ""];
  const text = asText(value);
  if (text === null || (text.length <= LONG && !text.includes("\n"))) return [`${label}: ${lineOf(value)}`, ""];
  // Its headings are no sections of the whole.
  const body = text.split(/\r\n?|\n/).map((line) => {
    const title = parseHeading(line)?.title ?? "";
    return title === "" ? line : `**${title}**`;
  });
  const isBody = TEXTS.includes(key);
  return ["", ...(isBody ? [] : [level > 2 ? `**${label}:**` : heading(level, label), ""]), ...body, ""];
}

function idOf(object: Fields): string | null {
  const id = IDS.map((key) => object[key]).find((one) => typeof one === "number" || asText(one) !== null);
  return id === undefined ? null : sanitizeLine(String(id), 40);
}

/** A bare number is ambiguous as an id; the number of a part begins with its parent's. */
function idText(id: string, parent: string | null): string {
  if (!/^\d+(?:\.\d+)*$/.test(id)) return `${id}:`;
  return parent !== null && /^[\d.]+$/.test(parent) && !id.includes(".") ? `Task ${parent}.${id}:` : `Task ${id}:`;
}

/** A value in words: `"High"`, `2` and `{"name": "High"}`; else "". */
function words(value: unknown): string {
  return sanitizeLine(String(asObject(value)?.name ?? value ?? ""), 60);
}

/** A key in words: `acceptanceCriteria` becomes "Acceptance criteria". */
function wordsOfKey(key: string): string {
  const text = sanitizeLine(key, 100)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .replace(/ ([A-Z])(?=[a-z])/g, (letter) => letter.toLowerCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value on one line: an object's fields, or a scenario's steps joined to a sentence. */
function lineOf(value: unknown): string {
  if (typeof value === "string") return sanitizeLine(value, 2000);
  if (Array.isArray(value)) return value.map(lineOf).join(", ");
  const object = asObject(value);
  if (object === null) return JSON.stringify(value);
  const { given, when, then } = object;
  if (given && when && then) return `Given ${lineOf(given)}, when ${lineOf(when)}, then ${lineOf(then)}`;
  const entries = Object.entries(object).filter(([, one]) => !isEmpty(one));
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return lineOf(only[1]);
  return entries.map(([key, one]) => `${wordsOfKey(key)}: ${lineOf(one)}`).join("; ");
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function heading(level: number, text: string): string {
  return `${"#".repeat(Math.min(6, level))} ${text}`;
}
