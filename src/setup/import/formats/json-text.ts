import { parseHeading } from "../../../core/text/markdown-blocks.ts";
import { asObject, asText } from "../../detect/files.ts";
import { sanitizeLine } from "../../sanitize-text.ts";

/** A key in words: `acceptanceCriteria` becomes "Acceptance criteria". */
export function wordsOfKey(key: string): string {
  const words = sanitizeLine(key, 100)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .replace(/ ([A-Z])(?=[a-z])/g, (letter) => letter.toLowerCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A longer text as a part of the document: its headings are no sections of the whole. */
export function bodyOf(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => {
      const title = parseHeading(line)?.title ?? "";
      return title === "" ? line : `**${title}**`;
    })
    .join("\n")
    .trim();
}

/** A value on one line: an object's fields, or a scenario's steps joined to a sentence. */
export function lineOf(value: unknown): string {
  if (typeof value === "string") return sanitizeLine(value, 2000);
  if (Array.isArray(value)) return value.map(lineOf).join(", ");
  const object = asObject(value);
  if (object === null) return JSON.stringify(value);
  const [given, when, then] = [asText(object.given), asText(object.when), asText(object.then)];
  if (when !== null && then !== null)
    return [given === null ? [] : `Given ${given}`, `${given === null ? "When" : "when"} ${when}`, `then ${then}`]
      .flat()
      .join(", ");
  const name = asText(object.name) ?? asText(object.title);
  const entries = Object.entries(object).filter(([, one]) => one !== null && one !== "" && typeof one !== "object");
  return name !== null && entries.length <= 3
    ? name
    : entries.map(([key, one]) => `${wordsOfKey(key)}: ${one}`).join("; ");
}
