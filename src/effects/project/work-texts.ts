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

/** The texts of the files below a folder; of one that cannot be read, which may say anything, the name. */
function textsBelow(folder: string): string[] {
  return filesBelow(folder).map((path) => {
    try {
      return readOptional(path) ?? path;
    } catch {
      return path; // too large
    }
  });
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return []; // no such folder
  }
}
