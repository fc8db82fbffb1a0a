import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type ProjectPaths, readOptional } from "./project-paths.ts";

/** Reads the files that say what is to be done: prompt, plan and specs, in `.ralph` or at the root of a flat project. */
export function readWorkTexts({ project, ralph, prompt, plan }: ProjectPaths): {
  prompt: string | null;
  plan: string | null;
  specs: string[];
} {
  const specs = [join(ralph, "specs"), join(project, "specs")].flatMap(textsBelow);
  return { prompt: readOptional(prompt), plan: readOptional(plan), specs };
}

function textsBelow(folder: string): string[] {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
    // One that cannot be read may say anything.
    return files.map((entry) => readOptional(join(entry.parentPath, entry.name)) ?? entry.name);
  } catch {
    return []; // no such folder
  }
}
