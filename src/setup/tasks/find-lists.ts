/** Where the lists of tasks lie that other tools keep in a project. */
import type { ProjectFiles } from "../detect/files.ts";

/** A `*` stands for one folder. */
const PLACES = [
  "specs/*/tasks.md",
  "openspec/changes/*/tasks.md",
  "prd.json",
  "tasks/prd.json",
  "plans/prd.json",
  "scripts/ralph/prd.json",
  ".ralph-tui/prd.json",
  ".taskmaster/tasks/tasks.json",
  "tasks/tasks.json",
  ".beads/issues.jsonl",
];
/** OpenSpec keeps what is finished there. */
const FINISHED = "archive";

/** Paths of the lists in a project, with forward slashes, in the order of their tools and names. */
export function findTaskLists(files: ProjectFiles): string[] {
  return PLACES.flatMap((place) => {
    const [folder, rest] = place.split("/*/");
    if (folder === undefined || rest === undefined) return [place];
    const inside = files.list(folder).filter(({ name, kind }) => kind === "folder" && name !== FINISHED);
    return inside.map(({ name }) => `${folder}/${name}/${rest}`).sort();
  }).filter((path) => files.exists(path));
}
