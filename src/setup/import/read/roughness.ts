import { asObject } from "../../detect/files.ts";
import { titleKeyOf } from "../formats/json-markdown.ts";
import { readOutline } from "./outline.ts";
import { readDrafts } from "./requirements.ts";
import { sectionKind } from "./section-kind.ts";

/** Fewer headings say nothing about a document's habits. */
const ENOUGH = 4;

/** Why the rules read a PDF only roughly. */
export const ROUGH_PDF = "a PDF keeps neither levels nor lists";

/** Why the rules read a JSON document only roughly: an export of a tracker, a description of an API; null if they know its shape. */
export function roughJson(value: unknown): string | null {
  const object = asObject(value) ?? {};
  const isApi = typeof object.openapi === "string" || typeof object.swagger === "string";
  return isApi ||
    firstList(value, 0)?.some((one) => asObject(one) !== null && titleKeyOf(asObject(one) ?? {}) === undefined) === true
    ? "its lists hold no items with a title"
    : null;
}

function firstList(value: unknown, depth: number): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  for (const one of depth > 4 ? [] : Object.values(asObject(value) ?? {})) {
    const found = firstList(one, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Why the rules read a text only roughly: it has no heading that they know, and no boxes or ids; null if they can. */
export function roughText(text: string): string | null {
  const sections = readOutline(text);
  const titles = sections.filter(({ isHeading, level }) => isHeading && level > 1);
  const isKnown =
    titles.length < ENOUGH ||
    titles.some(({ title }) => sectionKind(title) !== "feature") ||
    sections.some(({ items }) => items.some(({ kind }) => kind === "box")) ||
    readDrafts(sections).some(({ id }) => id !== null);
  return isKnown ? null : "the rules know none of its headings, and they read English";
}
