import type { FileAction } from "../scaffold.ts";

const PATH = ".ralph/SPECS_CHANGELOG.md";
const HEAD = "# Changes of the specifications\n";

/**
 * Records the spec changes of a repeated import as a new entry above the earlier ones (as in bmalph).
 * @param date of the import, YYYY-MM-DD
 * @returns null for a first import, or if no spec changes
 */
export function changelogAction(
  actions: readonly FileAction[],
  existing: { read(path: string): string | null },
  date: string,
): FileAction | null {
  const specs = actions.filter(
    ({ path }) => /^\.ralph\/specs\/.+\.md$/.test(path) && path !== ".ralph/specs/README.md",
  );
  const isFirst = specs.every(({ kind }) => kind === "create");
  const lines = specs.flatMap(({ path, kind }) => {
    if (kind === "keep" || kind === "move") return [];
    return [`- ${kind === "create" ? "new" : "changed"}: ${path.replace(/^\.ralph\//, "")}`];
  });
  if (isFirst || lines.length === 0) return null;
  const before = existing.read(PATH);
  const earlier = (before ?? "").replace(/\r\n/g, "\n").replace(HEAD, "").trim();
  const content = `${HEAD}\n## ${date}\n\n${lines.join("\n")}\n${earlier === "" ? "" : `\n${earlier}\n`}`;
  const why = "what changed in the specs";
  return { kind: before === null ? "create" : "merge", path: PATH, content, backup: false, why };
}
