/** A checkpoint says itself which files it lacks: nobody may take them for files that were not there. */
import type { ObjectReader } from "../git/read-object.ts";
import type { TreeReader } from "../git/trees.ts";

/** Where the list stands in a checkpoint's tree; such a file is on no disk. */
export const LEFT_OUT = ".ralph/.left-out";

/** A line each, as JSON: names may hold anything. */
export function formatLeftOut(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${JSON.stringify(path)}\n`).join(""));
}

/** The paths that a checkpoint lacks. @param commit null for none @throws Error if it cannot be read */
export async function leftOutOf(
  reader: Pick<TreeReader, "file">,
  read: ObjectReader,
  commit: string | null,
): Promise<Set<string>> {
  const list = commit === null ? null : await reader.file(commit, LEFT_OUT);
  if (list === null) return new Set();
  const lines = (await read(list.oid)).body.toString("utf8").split("\n");
  return new Set(lines.filter((line) => line !== "").map((line) => String(JSON.parse(line))));
}
