import { join } from "node:path";
import { listFiles } from "../user/driver-files.ts";
import { RALPH_DIR } from "./project-paths.ts";

/**
 * The modes that a project has prompts for, `PROMPT-<mode>.md` beside its files or in `.ralph`: `ralph run MODE` takes them. What
 * would pass for a flag is none.
 */
export function listModes(project: string): string[] {
  const files = [project, join(project, RALPH_DIR)].flatMap(listFiles);
  return [...new Set(files.flatMap((file) => /^PROMPT-([^-].*)\.md$/.exec(file)?.[1] ?? []))];
}
