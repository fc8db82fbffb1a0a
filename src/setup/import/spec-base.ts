import type { ProjectFiles } from "../detect/files.ts";
import { folderNameFrom } from "../folder-name.ts";
import { inlineCode } from "../sanitize-text.ts";

type Files = Pick<ProjectFiles, "exists" | "read">;

/** The first line of a spec, by which it is known again where it came from. */
export function originLine(document: string): string {
  return `> Taken over from ${inlineCode(document)}. It says what is wanted, not how to work.`;
}

/**
 * The name of the spec file for a document: `requirements`, unless that is another document's, or the user's own. What a
 * second document says must not take the place of the first one.
 */
export function specBase(files: Files, document: string): string {
  return freeSpec(files, "requirements", document);
}

/** A name for a spec of this document that takes no other's place. @param wanted name below `specs/`, without `.md` */
export function freeSpec(files: Files, wanted: string, document: string): string {
  const slug = folderNameFrom(document.replace(/\.\w+$/, ""));
  const named = wanted === "requirements" ? slug : `${wanted}-${slug}`;
  const candidates = [wanted, named, ...Array.from({ length: 50 }, (_, n) => `${named}-${n + 2}`)];
  return candidates.find((name) => name.toLowerCase() !== "readme" && isFree(files, name, document)) ?? named;
}

function isFree(files: Files, name: string, document: string): boolean {
  const path = `.ralph/specs/${name}.md`;
  return !files.exists(path) || (files.read(path) ?? "").split(/\r?\n/, 1)[0] === originLine(document);
}
