import { asObject } from "../detect/files.ts";
import { oneLineOf } from "../foreign-text.ts";

const MAX_DEPTH = 12;
const TITLE_KEYS = ["title", "name", "summary", "story", "requirement", "feature", "task"] as const;
const DONE_KEYS = ["passes", "done", "completed", "complete"] as const;

/** A JSON document as Markdown: keys are headings, lists are lists, and what has an id or a title is a section of its own. */
export function jsonMarkdown(value: unknown, name: string): string {
  const object = asObject(value);
  const title = object === null ? null : titleOf(object);
  const body = object === null ? listOf(value, 2) : fields(object, 2, title?.key ?? null);
  return `# ${oneLineOf(title?.text ?? name, 200)}\n\n${body.join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

function fields(object: Record<string, unknown>, level: number, skip: string | null): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (key === skip || value === null || value === "" || (DONE_KEYS as readonly string[]).includes(key)) return [];
    const label = wordsOf(key);
    if (typeof value !== "object")
      return [
        typeof value === "string" && value.length > 100
          ? `\n${heading(level, label)}\n\n${text(value)}\n`
          : `${label}: ${text(value)}\n`,
      ];
    return level > MAX_DEPTH ? [] : ["", heading(level, label), "", ...listOf(value, level + 1), ""];
  });
}

function listOf(value: unknown, level: number): string[] {
  if (!Array.isArray(value)) {
    const object = asObject(value);
    return object === null ? [text(value)] : fields(object, level, null);
  }
  return value.flatMap((one): string[] => {
    const object = asObject(one);
    if (object === null) return Array.isArray(one) ? listOf(one, level + 1) : [`- ${text(one)}`];
    const title = titleOf(object);
    const id = object.id ?? object.key ?? object.ref;
    if (title === null || level > MAX_DEPTH) return fields(object, Math.min(level, MAX_DEPTH), null);
    const words = `${typeof id === "string" || typeof id === "number" ? `${idText(id)}: ` : ""}${oneLineOf(title.text, 200)}`;
    const isTask = DONE_KEYS.some((key) => typeof object[key] === "boolean");
    const done =
      DONE_KEYS.some((key) => object[key] === true) ||
      /^(?:done|closed|completed?)$/i.test(String(object.status ?? ""));
    const rest = fields(
      Object.fromEntries(Object.entries(object).filter(([key]) => !["id", "key", "ref"].includes(key))),
      level + 1,
      title.key,
    );
    return isTask || done
      ? [`- [${done ? "x" : " "}] ${words}`, ...(done ? [] : inset(rest))]
      : ["", heading(level, words), "", ...rest];
  });
}

/** A bare number is no id that could be told from any other. */
function idText(id: string | number): string {
  return typeof id === "number" || /^\d+$/.test(id) ? `Task ${id}` : oneLineOf(id, 40);
}

function inset(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split("\n"))
    .filter((line) => line.trim() !== "")
    .map((line) => `  - ${line.replace(/^(?:[-#]+\s+)/, "").trim()}`);
}

function titleOf(object: Record<string, unknown>): { key: string; text: string } | null {
  const key = TITLE_KEYS.find((name) => typeof object[name] === "string" && object[name] !== "");
  return key === undefined ? null : { key, text: String(object[key]) };
}

function heading(level: number, words: string): string {
  return `${"#".repeat(Math.min(6, level))} ${words}`;
}

function wordsOf(key: string): string {
  const words = oneLineOf(key, 100)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}
