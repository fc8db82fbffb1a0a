import { sanitizeLine } from "../../sanitize-text.ts";
import { plainTitle } from "../formats/inline.ts";
import { readOutline, type Section } from "./outline.ts";
import { unnumbered } from "./section-kind.ts";

const TITLE = /^(?:(?:tech(?:nology|nical)?|technologies|software) ?)?stack\b|^technolog(?:y|ies)$/i;
const LINE = /^(?:(?:tech(?:nology|nical)?) )?stack\s*[:|]\s*(.+)$/is;
const MAX_CHARS = 300;

/** What a document wants to be built with, in its own words: its section or line about the stack; null if it has none. */
export function namedStack(text: string): string | null {
  const sections = readOutline(text);
  const about = sections.find(({ title, items }) => TITLE.test(unnumbered(title)) && items.length > 0);
  const words =
    about === undefined
      ? sections
          .flatMap(({ items }) => items)
          .map(wordsOf)
          .flatMap(stackLine)[0]
      : about.items.map(wordsOf).join("; ");
  return words === undefined ? null : sanitizeLine(words.replace(/[.\s]+$/, ""), MAX_CHARS);
}

function stackLine(words: string): string[] {
  const found = LINE.exec(words)?.[1];
  return found === undefined ? [] : [found];
}

function wordsOf(item: Section["items"][number]): string {
  return item.kind === "row" ? item.cells.join(": ") : plainTitle(item.text).replace(/\.$/, "");
}
