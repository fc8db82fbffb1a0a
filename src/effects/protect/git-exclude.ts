import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { readRegularText } from "../files/regular-file.ts";
import { slashPath } from "../files/slash-path.ts";
import { readStamp } from "../git/read.ts";
import { discoverRepository } from "../git/repository.ts";
import { RALPH_DIR } from "../project/project-paths.ts";

/**
 * Names what ralph writes at run time in the repository's own list of ignored files too: an agent that deletes
 * `.ralph/.gitignore` and commits everything does not commit the journal. Other lines stay. A list that is no ordinary file, or
 * cannot be written, is left as it is.
 * @param ignored the lines of `.ralph/.gitignore`
 * @returns does it; again before each call of an agent, which costs one look if the list is as it was left
 */
export function createGitExclude(project: string, ignored: string): () => void {
  // Only in the project's own repository: around any other one, the agent may make a nearer one.
  const own = join(project, ".git", "info", "exclude");
  let left: string | null = null;
  return () => {
    if (left !== null && readStamp(own) === left) return;
    left = null;
    const repository = discoverRepository(project);
    if (repository === null) return;
    const below = slashPath(repository.root, join(project, RALPH_DIR));
    if (/[\r\n]/.test(below)) return;
    const file = join(repository.commonDir, "info", "exclude");
    try {
      addRules(file, rulesBelow(below, ignored));
      if (file === own) left = readStamp(own);
    } catch {
      // A repository that may only be read takes no commit either.
    }
  };
}

function addRules(file: string, rules: readonly string[]): void {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  // In a repository that the agent made, its folder may be a link to anywhere.
  const folder = lstatSync(dirname(file), { throwIfNoEntry: false });
  if ((stat !== undefined && !stat.isFile()) || folder?.isDirectory() === false) return;
  const text = stat === undefined ? "" : readRegularText(file);
  const known = new Set(text.split(/\r?\n/));
  const missing = rules.filter((rule) => !known.has(rule));
  if (missing.length === 0) return;
  mkdirSync(dirname(file), { recursive: true });
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  writeFileAtomic(file, `${start}${["# What ralph writes at run time.", ...missing].join("\n")}\n`, SHARED_FILE);
}

/** The rules of a folder's `.gitignore`, as the repository's root says them. */
function rulesBelow(folder: string, ignored: string): string[] {
  const root = `/${folder.replace(/[\\*?[]/g, "\\$&")}`;
  const rules = ignored.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return rules.map((rule) => (rule.startsWith("/") ? `${root}${rule}` : `${root}/**/${rule}`));
}
