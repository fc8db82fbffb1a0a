import { isRecord } from "../../core/json-value.ts";

/** A file or folder directly below another folder; links are neither and are not listed. */
export type Entry = { name: string; kind: "file" | "folder" };

/**
 * The project as detection sees it: read-only, paths relative to its root with forward slashes (`""` is the root).
 * Nothing throws: what is not there, too large or unreadable is null or empty.
 */
export type ProjectFiles = {
  exists(path: string): boolean;
  /** UTF-8 text of a file of reasonable size. */
  read(path: string): string | null;
  list(folder: string): readonly Entry[];
};

/** The first of these paths that exists. */
export function firstOf(files: ProjectFiles, paths: readonly string[]): string | null {
  return paths.find((path) => files.exists(path)) ?? null;
}

/** A JSON file's object, comments and trailing commas forgiven; null where there is none, or it is broken. */
export function readObject(files: ProjectFiles, path: string): Record<string, unknown> | null {
  const text = files.read(path);
  if (text === null) return null;
  try {
    return asObject(JSON.parse(withoutComments(text.replace(/^\uFEFF/, ""))));
  } catch {
    return null; // a broken manifest is the user's to mend: what is told from the file's name still holds
  }
}

/** JSONC as JSON; what a string holds stays as it is. */
function withoutComments(text: string): string {
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  return bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1");
}

export function asObject(value: unknown): Record<string, unknown> | null {
  return isRecord(value) ? value : null;
}

export function asText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** Names of files in a folder that match. */
export function filesMatching(files: ProjectFiles, folder: string, pattern: RegExp): string[] {
  return files
    .list(folder)
    .filter(({ name, kind }) => kind === "file" && pattern.test(name))
    .map(({ name }) => name)
    .sort();
}
