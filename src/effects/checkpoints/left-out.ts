/** A checkpoint says itself which files it lacks: nobody may take them for files that were not there. */
import type { ObjectReader } from "../git/read-object.ts";
import type { TreeReader } from "../git/trees.ts";

/** Where the list stands in a checkpoint's tree; such a file is on no disk. */
export const LEFT_OUT = ".ralph/.left-out";

/** What a checkpoint lacks. */
export type LeftOut = {
  has(path: string): boolean;
  /** The folder that a path lies in and that had a repository of its own then, ending in "/"; null for none. */
  repositoryOf(path: string): string | null;
};

/** A line each, as JSON: names may hold anything. @param paths those of folders end in "/" */
export function formatLeftOut(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${JSON.stringify(path)}\n`).join(""));
}

/** @param commit null for none, which lacks nothing @throws Error if it cannot be read */
export async function leftOutOf(
  reader: Pick<TreeReader, "file">,
  read: ObjectReader,
  commit: string | null,
): Promise<LeftOut> {
  const list = commit === null ? null : await reader.file(commit, LEFT_OUT);
  const lines = list === null ? [] : (await read(list.oid)).body.toString("utf8").split("\n");
  const paths = new Set(lines.filter((line) => line !== "").map((line) => String(JSON.parse(line))));
  const folders = [...paths].filter((path) => path.endsWith("/"));
  const repositoryOf = (path: string) => folders.find((folder) => path.startsWith(folder)) ?? null;
  return { has: (path) => paths.has(path) || repositoryOf(path) !== null, repositoryOf };
}

/** The folders that these files lie in and that had a repository of their own then, as `ralph undo` names what it leaves. */
export function leftRepositories({ repositoryOf }: LeftOut, paths: Iterable<string>): string[] {
  const folders = new Set([...paths].map(repositoryOf).filter((folder) => folder !== null));
  return [...folders].map((folder) => `${folder.toWellFormed()} (a repository of its own then)`);
}
