import { isRecord, jsonIn } from "../../core/json-value.ts";

/** A file or folder directly below another folder; links are not listed. */
export type Entry = { name: string; kind: "file" | "folder" };

/**
 * The project as detection sees it: read-only, with paths relative to its root and forward slashes (`""` is the root).
 * Nothing throws: a missing, too large or unreadable file is null, such a folder empty.
 */
export type ProjectFiles = {
  exists(path: string): boolean;
  /** The UTF-8 text of a file of reasonable size. */
  read(path: string): string | null;
  list(folder: string): readonly Entry[];
};

/** The path of what is named so in a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The first of these paths that exists. */
export function firstOf(files: ProjectFiles, paths: readonly string[]): string | null {
  return paths.find((path) => files.exists(path)) ?? null;
}

/** The object in a JSON file, with comments and trailing commas allowed; null if it is missing or broken. */
export function readObject(files: ProjectFiles, path: string): Record<string, unknown> | null {
  const text = files.read(path);
  // The user repairs a broken manifest; what its name shows still holds.
  return text === null ? null : asObject(jsonIn(withoutComments(text)));
}

/** JSONC as JSON; strings stay unchanged. */
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

/** The matching file names of a folder. */
export function filesMatching(files: ProjectFiles, folder: string, pattern: RegExp): string[] {
  return files
    .list(folder)
    .filter(({ name, kind }) => kind === "file" && pattern.test(name))
    .map(({ name }) => name)
    .sort();
}
