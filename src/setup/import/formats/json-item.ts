import { asObject, asText } from "../../detect/files.ts";
import { sanitizeLine } from "../../sanitize-text.ts";

type Fields = Record<string, unknown>;

/** An entry of a JSON document's list: a story, an issue, a requirement. */
export type JsonItem = {
  id: string | null;
  title: string;
  done: boolean;
  /** It was dropped: cancelled, a duplicate … */
  isWithdrawn: boolean;
  /** In its author's words; null if none is stated, or only an order. */
  priority: string | null;
  /** Its position in its list, if numbers give the order. */
  order: number | null;
  /** Its other fields, in their order. */
  rest: Fields;
};

const TITLES = [
  "title",
  "name",
  "summary",
  "story",
  "userStory",
  "user_story",
  "requirement",
  "feature",
  "task",
  "label",
];
const TEXTS = ["description", "text", "statement", "content", "what", "details", "body", "goal"];
const IDS = ["identifier", "id", "key", "ref"];
const DONE = ["passes", "done", "completed", "complete", "checked"];
const MAX_TITLE = 200;

/** Reads an object of a list; null if it has no title or text of its own. */
export function readJsonItem(value: unknown): JsonItem | null {
  const object = asObject(value) ?? {};
  const titleKey = [...TITLES, ...TEXTS].find((key) => typeof object[key] === "string" && object[key] !== "");
  if (titleKey === undefined) return null;
  const title = String(object[titleKey]);
  const id = idOf(object);
  const status = words(object.status ?? object.state) ?? "";
  const { priority } = object;
  const isOrder = typeof priority === "number" || /^\d+$/.test(asText(priority) ?? "");
  const usedKeys = new Set([...IDS, ...DONE, "number", "status", "state", "priority"]);
  if (title === sanitizeLine(title, MAX_TITLE)) usedKeys.add(titleKey);
  return {
    id,
    title: sanitizeLine(title, MAX_TITLE),
    done:
      DONE.some((key) => object[key] === true) ||
      /^(?:done|closed|completed?|resolved|merged|shipped|finished|passed)$/i.test(status),
    isWithdrawn:
      /^(?:cancell?ed|won'?t(?: do| fix)?|wont[-_ ]?(?:do|fix)|duplicate|not[-_ ]planned|rejected|deferred)$/i.test(
        status,
      ),
    priority: isOrder ? null : words(priority),
    order: isOrder ? Number(priority) : null,
    rest: Object.fromEntries(Object.entries(object).filter(([key]) => !usedKeys.has(key))),
  };
}

function idOf(object: Fields): string | null {
  const found = IDS.map((key) => object[key]).find(
    (id) => typeof id === "number" || (typeof id === "string" && id !== ""),
  );
  return found === undefined ? null : sanitizeLine(String(found), 40);
}

/** A value in words: `"High"` and `{"name": "High"}`. */
function words(value: unknown): string | null {
  const text = asText(value) ?? asText(asObject(value)?.name);
  return text === null ? null : sanitizeLine(text, 60);
}
