import { parsePlan } from "../../core/plan/fix-plan.ts";
import { sanitizeLine } from "../sanitize-text.ts";
import { type ProjectFiles, pathIn } from "./files.ts";

const FOLDERS = [
  "",
  "docs",
  "doc",
  "specs",
  "spec",
  "requirements",
  "docs/specs",
  "docs/requirements",
  "docs/prd",
] as const;
const NAME = /(?:^|[^a-z])(?:prd|requirements?|product[-_ ]?brief|specs?|specification)(?:[^a-z]|$)/i;
const READABLE = /\.(?:md|markdown|txt|pdf|docx)$/i;
/** Such a name with another meaning: a list of Python packages. */
const OTHER = /^requirements[\w.-]*\.txt$/i;
const MOST = 20;
const LONGEST = 200;

/**
 * Documents that look like a description of what to build, the most likely first, each once. Skips names with invisible
 * characters, because they cannot be typed.
 */
export function prdCandidates(files: ProjectFiles): string[] {
  const found = FOLDERS.flatMap((folder) =>
    files
      .list(folder)
      .filter(({ kind, name }) => kind === "file" && READABLE.test(name) && !OTHER.test(name) && NAME.test(name))
      .filter(({ name }) => sanitizeLine(name, LONGEST) === name)
      .map(({ name }) => pathIn(folder, name)),
  );
  const isPrd = (path: string) => (/(?:^|[^a-z])prd(?:[^a-z]|$)/i.test(path) ? 0 : 1);
  return [...new Set(found)].sort((a, b) => isPrd(a) - isPrd(b) || (a < b ? -1 : 1)).slice(0, MOST);
}

/** A list of things to do: its path, and how many of its boxes are open. */
export type TodoList = { path: string; open: number };

export function isTodoList(path: string): boolean {
  return /(?:^|[/\\])todo(?:\.(?:md|markdown|txt))?$/i.test(path);
}

/** The first list with open boxes, at the root before docs/. */
export function findTodo(files: ProjectFiles): TodoList | null {
  const lists = ["", "docs"].flatMap((folder) =>
    files
      .list(folder)
      .filter(({ kind, name }) => kind === "file" && isTodoList(name))
      .map(({ name }) => pathIn(folder, name)),
  );
  const counted = lists.map((path) => ({ path, open: parsePlan(files.read(path) ?? "", []).counts.unchecked }));
  return counted.find(({ open }) => open > 0) ?? null;
}
