import { folderNameFrom } from "../folder-name.ts";
import { inlineCode } from "../sanitize-text.ts";
import type { ExistingFiles } from "../scaffold.ts";

const TAKEN_OVER = "> Taken over from ";
/** Two longer paths may be one to ralph. */
const MAX_PATH = 1000;

/**
 * The first line of a spec, which identifies the document that it came from.
 * @param document its path from the project, or its name if it lies elsewhere
 */
export function originLine(document: string): string {
  return `${TAKEN_OVER}${inlineCode(document, MAX_PATH)}. It says what is wanted, not how to work.`;
}

/** Whether a line of a spec only says where it came from. */
export function isOriginLine(line: string): boolean {
  return line.startsWith(TAKEN_OVER);
}

/**
 * The name of the spec file for a document: `requirements`, unless that file belongs to another document or to the
 * user. A second document must not replace the first.
 */
export function specBase(files: ExistingFiles, document: string): string {
  return freeSpec(files, "requirements", document);
}

/**
 * A name for a spec of this document that replaces no other file.
 * @param wanted name below `specs/`, without `.md`
 */
export function freeSpec(files: ExistingFiles, wanted: string, document: string): string {
  const slug = folderNameFrom(document.replace(/\.\w+$/, ""));
  const named = wanted === "requirements" ? slug : `${wanted}-${slug}`;
  const candidates = [wanted, named, ...Array.from({ length: 50 }, (_, n) => `${named}-${n + 2}`)];
  return candidates.find((name) => name.toLowerCase() !== "readme" && isFree(files, name, document)) ?? named;
}

function isFree(files: ExistingFiles, name: string, document: string): boolean {
  const path = `.ralph/specs/${name}.md`;
  return !files.exists(path) || (files.read(path) ?? "").split(/\r?\n/, 1)[0] === originLine(document);
}
